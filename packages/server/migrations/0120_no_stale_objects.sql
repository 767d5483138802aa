-- breaks: yes, because processes of earlier versions mark what objects of OpenADR 3 are to follow, which the journal says now
-- What was not followed yet.
insert into journal (at, kind, subject) select distinct now(), 'openadr3.settings', '' from openadr3_stale where kind = 'program';
insert into journal (at, kind, subject) select distinct now(), 'account.change', id from openadr3_stale where kind = 'account';
insert into journal (at, kind, subject, ref)
select now(), 'dispatch.notified', dispatch_id, seq from notices
where projected_at is null and noted_at is not null and state <> 'dropped' order by seq;

-- Notices of the sandbox are noted as those of production.
update sandbox.notices set noted_at = projected_at where projected_at is not null;
create index on sandbox.notices (due_at) where noted_at is null and state <> 'dropped';

alter table notices drop column projected_at;
alter table sandbox.notices drop column projected_at;

drop trigger makes_stale on programs;
drop trigger makes_stale on accounts;
drop trigger makes_stale on sites;
drop trigger makes_stale on meters;
drop trigger makes_stale on openadr3_clients;
drop trigger makes_stale on sandbox.scenarios;
drop function mark_openadr3_stale;
drop function mark_openadr3_of_meter;
drop function mark_openadr3_rehearsal;
drop table openadr3_stale;
