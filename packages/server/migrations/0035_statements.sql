-- breaks: no
create table statements (
  seq bigint generated always as identity unique,
  id text primary key,
  account_id text not null references accounts,
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  -- When the month ends in the last of the programs' time zones; null until the statement was drawn up.
  ends_at timestamptz,
  -- Dispatches without a final result.
  waiting jsonb not null default '[]',
  -- Of the results, terms and enrolments that it was drawn up from; null: it is drawn up anew.
  inputs_stamp text,
  unique (account_id, month)
);
-- A stored version never changes.
create table statement_versions (
  statement_id text not null references statements,
  version int not null,
  at timestamptz not null,
  reason text not null check (reason in ('made', 'restated', 'approved')),
  actor text,
  note text,
  changes jsonb not null,
  change_count int not null,
  programs jsonb not null,
  totals jsonb not null,
  primary key (statement_id, version)
);
-- Only sites that differ from the version before; settled is null from the version on that no longer has the site.
create table statement_sites (
  statement_id text not null,
  program_id text not null,
  site_id text not null,
  version int not null,
  name text not null,
  settled jsonb,
  primary key (statement_id, program_id, site_id, version),
  foreign key (statement_id, version) references statement_versions
);
