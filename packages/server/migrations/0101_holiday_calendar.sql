-- breaks: no
-- The calendar that a program's holidays come from, with its days as they were confirmed. `holidays` has the days that count.
alter table programs add column holiday_calendar jsonb;
alter table sandbox.programs add column holiday_calendar jsonb;
