-- breaks: no
-- Whether persons were notified. Alarms from before are; those that the previous version raises are not yet.
alter table alarms add column people_noted boolean not null default true;
alter table alarms alter column people_noted set default false;
create index on alarms (seq) where not people_noted;
