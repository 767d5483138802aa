-- breaks: yes, because processes of earlier versions mark the notices whose messages they made, which a cursor of the journal says now
-- Messages to phones follow the journal.
insert into followers (name, seen, kinds, behind_after_seconds) values ('phone-messages', pg_current_snapshot(), '{}', 15);

-- Notices without messages yet, for this follower alone: of an entry others would make theirs a second time.
insert into follower_faults (follower, seq, environment, at, kind, subject, ref, error, since, next_attempt_at)
select 'phone-messages', nextval(pg_get_serial_sequence('journal', 'seq')), 'production', now(), 'dispatch.notified', dispatch_id, seq,
  'not made before the upgrade', now(), now()
from (
  select seq, dispatch_id from notices where not phoned and noted_at is not null and state <> 'dropped' order by seq
) as open;

alter table notices drop column phoned;
alter table sandbox.notices drop column phoned;
