-- breaks: no
alter table performance_versions
  drop constraint performance_versions_reason_check,
  add constraint performance_versions_reason_check
    check (reason in ('complete', 'overdue', 'corrected', 'event_days', 'excluded_days', 'approved'));
