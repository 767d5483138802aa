-- How what sites deliver is measured. `baseline` is a preset's id or a method's parameters, as JSON; null: the service's
-- own default. Dispatches keep what held when they were created.
alter table programs add column baseline jsonb, add column holidays jsonb not null default '[]', add column status_limits jsonb;
alter table enrolments add column baseline jsonb;
alter table dispatches add column baseline jsonb, add column holidays jsonb not null default '[]', add column status_limits jsonb;
alter table dispatch_sites add column baseline jsonb;
-- The sandbox's tables have the same shape.
alter table sandbox.programs add column baseline jsonb, add column holidays jsonb not null default '[]', add column status_limits jsonb;
alter table sandbox.dispatches add column baseline jsonb, add column holidays jsonb not null default '[]', add column status_limits jsonb;
alter table sandbox.dispatch_sites add column baseline jsonb;
-- Always empty: dispatches are written by a statement that names it.
create table sandbox.enrolments (like enrolments including all);

-- Final results of a dispatch. Readings that come late or are corrected make a new version; the old ones stay.
create table performance_versions (
  dispatch_id text not null references dispatches,
  version int not null,
  at timestamptz not null,
  reason text not null check (reason in ('complete', 'overdue', 'corrected')),
  primary key (dispatch_id, version)
);

-- Of every site that a version changed: the result of a site is that of its latest version.
create table performance_results (
  dispatch_id text not null,
  site_id text not null,
  version int not null,
  -- What lists show, and apart from it what a site by itself shows: method, explanation, curves.
  summary jsonb not null,
  detail jsonb not null,
  primary key (dispatch_id, site_id, version),
  foreign key (dispatch_id, version) references performance_versions
);

-- Readings of a time that dispatches were measured in. Written before the readings are, so that no crash loses it, and
-- settled once they are; kept for an hour after it was seen to, for other processes that follow the dispatch.
create table late_readings (
  seq bigint generated always as identity primary key,
  dispatch_id text not null,
  site_id text not null,
  noted_at timestamptz not null,
  settled_at timestamptz,
  handled_at timestamptz
);
create index on late_readings (dispatch_id, seq);
create index on late_readings (noted_at) where handled_at is null;
create index on late_readings (handled_at) where handled_at is not null;
