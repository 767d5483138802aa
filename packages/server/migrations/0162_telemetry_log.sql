-- breaks: no
-- Uploads of few readings for each meter, as they were committed, until they are folded into hour rows. Versions before do not
-- read them: the first process that appends some marks this migration as breaking.
create table telemetry_log (
  seq bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  first_hour integer not null,
  last_hour integer not null,
  -- One element for each reading, in order: of `cell_counts` there may be one for all.
  meters integer[] not null,
  last_cells integer[] not null,
  cell_counts integer[] not null,
  kw double precision[] not null
);
-- Readings hardly compress, and trying takes longer than writing them.
alter table telemetry_log
  alter meters set storage external, alter last_cells set storage external, alter kw set storage external;
alter table telemetry_log set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 10000);
create index telemetry_log_xid on telemetry_log (xid);

-- One row.
create table telemetry_log_state (
  is_one boolean primary key default true check (is_one),
  -- What transactions before it appended is in hour rows.
  folded_below xid8 not null default '0'
);
insert into telemetry_log_state default values;
