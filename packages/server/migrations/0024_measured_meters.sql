-- breaks: no
-- The meters whose sum is the load of a site; null: its points of interconnection or, without any, all.
alter table sites add column measured_meters text[] check (cardinality(measured_meters) > 0);
-- The same as it was when the dispatch was created; null: all.
alter table dispatch_sites add column measured_meters text[];
alter table sandbox.dispatch_sites add column measured_meters text[];
create index on meters (site_id) where asset_type = 'poi';
-- Always empty: dispatches are written by a statement that names them.
create table sandbox.sites (like sites including all);
create table sandbox.meters (like meters including all);
update dispatch_sites set measured_meters = points.meters
  from (select site_id, array_agg(id order by seq) as meters from meters where asset_type = 'poi' group by site_id) as points
  where dispatch_sites.site_id = points.site_id;

-- Whether days with operators' tests count as days with events.
alter table programs add column tests_are_events boolean not null default true;
alter table sandbox.programs add column tests_are_events boolean not null default true;
alter table dispatches add column tests_are_events boolean not null default true;
alter table sandbox.dispatches add column tests_are_events boolean not null default true;

-- Why a result may change: late readings, or days with other dispatches.
alter table late_readings add column reason text not null default 'corrected' check (reason in ('corrected', 'event_days'));
alter table performance_versions drop constraint performance_versions_reason_check;
alter table performance_versions add constraint performance_versions_reason_check
  check (reason in ('complete', 'overdue', 'corrected', 'event_days'));
