-- breaks: no
-- Statements list lines whose amount changed apart from those that are only traced to something else.
alter table statement_versions
  add column traces jsonb not null default '[]',
  add column trace_count int not null default 0;

-- From when to when the dispatches of a statement reach, and those that overlap them; null: no others matter.
alter table statements
  add column reach_from timestamptz,
  add column reach_to timestamptz;

-- The enrolments of a month are read from the audit log.
create index on audit_log (account_id) where action in ('program.enrol', 'program.withdraw');

-- Which dispatches overlap a period: all but these last at most 31 days.
create index on dispatches (start_time) where end_time is null or end_time - start_time > interval '744 hours';
create index on sandbox.dispatches (start_time) where end_time is null or end_time - start_time > interval '744 hours';
