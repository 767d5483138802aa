-- breaks: no
-- Days of a site that an operator excluded from baselines. `date` is a local day of the program, YYYY-MM-DD.
create table excluded_days (
  seq bigint generated always as identity unique,
  site_id text not null,
  date text not null,
  reason text not null,
  actor text not null,
  at timestamptz not null,
  primary key (site_id, date)
);

-- Whoever measures reads them again.
create constraint trigger is_visible after insert or update or delete on excluded_days
  deferrable initially deferred for each row execute function stamp_visible('dispatches');
