-- What accounts' keys asked of the participants' interface in the last day. No foreign keys: rows are many, short-lived,
-- and written beside uploads.
create table request_log (
  seq bigint generated always as identity primary key,
  account_id text not null,
  key_id text not null,
  -- Of a sum: the minute's beginning.
  at timestamptz not null,
  method text not null,
  path text not null,
  status int not null,
  message text,
  count int not null,
  total_ms float8 not null,
  max_ms float8 not null,
  is_sum boolean not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index on request_log (account_id, at, seq);
create index on request_log (at);
-- Requests of a minute that are alike are one row, whichever process answered them. Sums change within their page
-- (fillfactor): nothing that is indexed changes.
create unique index on request_log (key_id, at, method, path, status) where is_sum;
