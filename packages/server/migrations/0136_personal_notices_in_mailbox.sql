-- breaks: yes, because processes of earlier versions claim notices to persons from a table that is gone
-- Notices to persons move to the mailbox, with their ids. The recipient is the person, or a browser of the person; the event of an alarm is that of the journal.
alter table messages
  add column user_id text, alter column notice_seq drop not null,
  drop constraint messages_reason_check,
  add constraint messages_reason_check
    check (reason in ('webhook_deleted', 'account_disabled', 'outdated', 'refused', 'expired', 'gone')) not valid;
alter table sandbox.messages
  add column user_id text, alter column notice_seq drop not null,
  drop constraint messages_reason_check,
  add constraint messages_reason_check
    check (reason in ('webhook_deleted', 'account_disabled', 'outdated', 'refused', 'expired', 'gone')) not valid;

insert into messages (id, channel, recipient, user_id, account_id, subject, event, state, failures, next_attempt_at, created_at, ended_at, reason,
  modification, detail)
select id, 'personal_' || channel, coalesce(subscription_id, user_id), user_id, account_id, coalesce(dispatch_id, alarm_id),
  coalesce(event, case when alarm_over then 'alarm.clear' else 'alarm.raise' end),
  case state when 'waiting' then 'pending' when 'sent' then 'delivered' else state end, failures, next_attempt_at, created_at,
  coalesce(sent_at, given_up_at, dropped_at), drop_reason, carried_modification,
  jsonb_strip_nulls(jsonb_build_object('name', name, 'browser', browser, 'host', host, 'text', text, 'error', last_error))
from personal_notices order by seq;
drop table personal_notices;
-- Recipients and their later messages are found by `(recipient, seq)`, which webhooks have as well.
drop index messages_to_recipients;
