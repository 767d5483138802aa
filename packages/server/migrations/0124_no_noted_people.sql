-- breaks: yes, because processes of earlier versions mark whom they notified, which a cursor of the journal says now
-- What nobody was told of yet; what is not due yet is appended when it is.
insert into journal (at, kind, subject, ref)
select now(), 'dispatch.notified', dispatch_id, seq from notices
where not people_noted and noted_at is not null and state <> 'dropped' order by seq;
insert into journal (at, kind, subject) select now(), 'alarm.raise', id from alarms where not people_noted order by seq;

alter table notices drop column people_noted;
alter table sandbox.notices drop column people_noted;
alter table alarms drop column people_noted;
