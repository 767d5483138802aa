-- breaks: no
-- Why a result may change: late readings, or days with other dispatches.
alter table late_readings
  add column reason text not null default 'corrected' check (reason in ('corrected', 'event_days'));
