-- breaks: no
-- Who made a version by hand, and why.
alter table performance_versions
  add column actor text,
  add column note text,
  drop constraint performance_versions_reason_check,
  add constraint performance_versions_reason_check
    check (reason in ('complete', 'overdue', 'corrected', 'event_days', 'approved'));
