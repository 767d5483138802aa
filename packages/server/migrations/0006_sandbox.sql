-- The sandbox has tables of its own, of the same shape as production's, in a schema of its own. The stores run over
-- both: connections of the sandbox see its schema and nothing else, so no statement can forget which one it is in.
create schema sandbox;

-- Accounts are the same people; sandbox keys stand beside production's, told apart by their environment.
create view sandbox.accounts as select * from accounts;

create table sandbox.dispatches (like dispatches including all);
create table sandbox.dispatch_sites (like dispatch_sites including all);
create table sandbox.dispatch_revisions (like dispatch_revisions including all);
create table sandbox.webhooks (like webhooks including all);
create table sandbox.notices (like notices including all);
create table sandbox.deliveries (like deliveries including all);
create table sandbox.delivery_attempts (like delivery_attempts including all);
create table sandbox.audit_log (like audit_log including all);

-- Always empty: the statement that records attempts names them, and mails nobody in the sandbox (G40).
create table sandbox.programs (like programs including all);
create table sandbox.mails (like mails including all);

alter table sandbox.dispatch_sites add foreign key (dispatch_id) references sandbox.dispatches,
  add foreign key (account_id) references accounts;
alter table sandbox.dispatch_revisions add foreign key (dispatch_id) references sandbox.dispatches;
alter table sandbox.webhooks add foreign key (account_id) references accounts;
alter table sandbox.notices add foreign key (dispatch_id) references sandbox.dispatches;

create trigger audit_log_is_append_only before update or delete on sandbox.audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_is_not_emptied before truncate on sandbox.audit_log
  for each statement execute function refuse_audit_change();

create table sandbox.scenarios (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references accounts,
  scenario_type text not null,
  name text,
  speed float8 not null,
  created_at timestamptz not null,
  -- When the account's next scenario took its place.
  replaced_at timestamptz,
  -- The criteria as they were judged when the readings of the run were still at hand; null until then.
  report jsonb
);
create index on sandbox.scenarios (account_id, seq);

-- What a dispatch is from a moment on, written when the scenario is made. The state at any time is looked up, not
-- brought about: a service that stands still or starts again misses none.
create table sandbox.scenario_steps (
  scenario_id text not null references sandbox.scenarios,
  dispatch_id text not null references sandbox.dispatches,
  position int not null,
  number int not null,
  dispatch jsonb not null,
  primary key (scenario_id, position, number)
);

-- What the participant did in a run: when first, when last, how often.
create table sandbox.scenario_acts (
  scenario_id text not null references sandbox.scenarios,
  what text not null check (what in ('polled', 'fetched', 'telemetry', 'controllable_load')),
  -- The dispatch it saw, in which modification; "" and 0 where it saw none.
  dispatch_id text not null,
  number int not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  count bigint not null,
  primary key (scenario_id, what, dispatch_id, number)
);
