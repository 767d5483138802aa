-- breaks: no
-- Whether a site is too new for its method depends on how long it has been enrolled.
alter table enrolments add column enrolled_at timestamptz;
alter table sandbox.enrolments add column enrolled_at timestamptz;
update enrolments set enrolled_at = coalesce(
  (select max(at) from audit_log
   where action = 'program.enrol' and subject = site_id and before is null and after ->> 'programId' = program_id),
  (select created_at from sites where id = site_id));
-- Processes of the version before do not give it.
alter table enrolments alter column enrolled_at set default now(), alter column enrolled_at set not null;
alter table sandbox.enrolments alter column enrolled_at set default now(), alter column enrolled_at set not null;

-- What operators decided about a site of a dispatch; the newest of each stands.
create table site_decisions (
  seq bigint generated always as identity primary key,
  dispatch_id text not null references dispatches,
  site_id text not null,
  -- null: a decision before was taken back.
  counts text check (counts in ('not_judged', 'not_delivered')),
  reason text not null,
  actor text not null,
  at timestamptz not null
);
create index on site_decisions (dispatch_id, site_id, seq);
