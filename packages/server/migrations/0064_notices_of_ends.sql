-- breaks: no
-- Of a notice about an alarm: it tells of the end.
alter table personal_notices add column alarm_over boolean not null default false check (not alarm_over or alarm_id is not null);
create index on personal_notices (alarm_id) where alarm_id is not null;
