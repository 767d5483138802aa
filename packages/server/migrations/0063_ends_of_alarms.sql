-- breaks: no
-- Whether persons who were notified of an alarm were notified of its end. Of alarms that ended before, nobody is.
alter table alarms add column end_noted boolean not null default true;
update alarms set end_noted = false where cleared_at is null;
alter table alarms alter column end_noted set default false;
create index on alarms (seq) where cleared_at is not null and not end_noted;
