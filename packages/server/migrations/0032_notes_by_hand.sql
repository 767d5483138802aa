-- breaks: no
-- Notes of what was done by hand, by whom and why.
alter table late_readings
  add column actor text,
  add column note text,
  drop constraint late_readings_reason_check,
  add constraint late_readings_reason_check check (reason in ('corrected', 'event_days', 'excluded_days'));
