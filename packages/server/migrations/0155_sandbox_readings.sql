-- breaks: no
-- What accounts sent for their rehearsals and may yet be judged by, whichever process asks; removed when it is.
create table sandbox.readings (
  account_id text not null references accounts,
  site_id text not null,
  at timestamptz not null,
  kw float8 not null,
  sent_at timestamptz not null,
  primary key (account_id, site_id, at)
);
