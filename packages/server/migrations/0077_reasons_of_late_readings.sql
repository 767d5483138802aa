-- breaks: no
-- Readings also change results by other rules and by decisions of operators.
alter table late_readings
  drop constraint late_readings_reason_check,
  add constraint late_readings_reason_check check (reason in ('corrected', 'event_days', 'excluded_days', 'rules', 'decided'));
