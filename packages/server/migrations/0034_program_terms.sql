-- breaks: no
-- Terms of a program from a month on. Rows are only added: the newest of a month holds, and null terms delete them.
create table program_terms (
  seq bigint generated always as identity primary key,
  program_id text not null references programs,
  from_month text not null check (from_month ~ '^\d{4}-\d{2}$'),
  terms jsonb,
  set_at timestamptz not null,
  actor text not null
);
create index on program_terms (program_id, from_month, seq);
