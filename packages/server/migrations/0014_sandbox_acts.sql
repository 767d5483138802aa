-- Errors that VENs reported about events they were shown. They are no acknowledgements, so they stand apart from them.
create table ven_errors (
  ven text not null references vens,
  dispatch_id text not null,
  -- Any that a VEN may name.
  modification_number bigint not null,
  code text not null,
  description text,
  first_at timestamptz not null,
  last_at timestamptz not null,
  count bigint not null default 1,
  -- When the VEN acknowledged the event after all; null until then.
  resolved_at timestamptz,
  primary key (ven, dispatch_id, modification_number, code)
);
create index on ven_errors (dispatch_id);

insert into ven_errors (ven, dispatch_id, modification_number, code, first_at, last_at, count)
select ven, dispatch_id, modification_number, response_code, min(at), max(at), count(*)
from ven_acknowledgements where response_code not like '2%' group by ven, dispatch_id, modification_number, response_code;
delete from ven_acknowledgements where response_code not like '2%';
update ven_events set acknowledged_modification = null, opt = null, response_code = null, acknowledged_at = null
where response_code not like '2%';
update vens set last_acknowledgement_at = (select max(at) from ven_acknowledgements where ven = vens.id)
where exists (select from ven_errors where ven = vens.id);
alter table ven_acknowledgements add check (response_code like '2%');
alter table ven_events add check (response_code like '2%');
create index on alarms (subject) where kind = 'ven_opted_out';

-- Spans of time in which a process listened for VENs without a break, as far as polls of that time are kept. Only they
-- show that a VEN was silent.
create table vtn_listening (
  id text primary key,
  since timestamptz not null,
  until timestamptz not null
);

-- What VENs of the sandbox did in a run.
alter table sandbox.scenario_acts drop constraint scenario_acts_what_check,
  add check (what in ('polled', 'fetched', 'telemetry', 'controllable_load', 'ven_polled', 'ven_acknowledged'));
create index on sandbox.scenario_steps (dispatch_id);

-- The account deleted it: it sees it no more, and the operator still does.
alter table sandbox.scenarios add column deleted_at timestamptz;
-- How many sites its states name in all: what an account keeps is bounded by it.
alter table sandbox.scenarios add column sites int not null default 0;
update sandbox.scenarios set sites = (
  select coalesce(sum(jsonb_array_length(dispatch -> 'sites')), 0) from sandbox.scenario_steps where scenario_id = scenarios.id
);
create unique index on sandbox.scenarios (account_id) where replaced_at is null;
-- For the removal of old scenarios.
create index on sandbox.notices (dispatch_id);
