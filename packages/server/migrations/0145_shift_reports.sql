-- breaks: no
-- Reports by which a shift hands over to the next. What one was drawn up from never changes; its texts have versions.
create table shift_reports (
  id text primary key,
  seq bigint generated always as identity unique,
  from_time timestamptz not null,
  to_time timestamptz not null,
  kept_at timestamptz not null,
  drawn jsonb not null,
  -- For lists, which do not read what was drawn up.
  dispatch_count int not null,
  open_alarm_count int not null
);
create trigger is_append_only before update or delete or truncate on shift_reports
  for each statement execute function refuse_evidence_change();
create table shift_report_versions (
  report_id text not null references shift_reports,
  version int not null,
  at timestamptz not null,
  actor text not null,
  texts jsonb not null,
  primary key (report_id, version)
);
create trigger is_append_only before update or delete or truncate on shift_report_versions
  for each statement execute function refuse_evidence_change();

-- What happened in a shift is found by its time. One table a migration: requests lock several in another order.
create index audit_log_by_time on audit_log (at);
