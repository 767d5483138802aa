-- breaks: yes, because processes of earlier versions claim messages to phones from a table that is gone
-- Messages to phones move to the mailbox, with their ids. `ended_at` is when a message was delivered, failed or was dropped, `reason` says why,
-- `modification` is the state of the dispatch that was sent, and `detail` has what evidence keeps: as of then, and as it was sent.
alter table messages
  add column account_id text, add column modification int, add column detail jsonb,
  drop constraint messages_reason_check,
  add constraint messages_reason_check
    check (reason in ('webhook_deleted', 'account_disabled', 'outdated', 'refused', 'expired')) not valid;
alter table sandbox.messages
  add column account_id text, add column modification int, add column detail jsonb,
  drop constraint messages_reason_check,
  add constraint messages_reason_check
    check (reason in ('webhook_deleted', 'account_disabled', 'outdated', 'refused', 'expired')) not valid;

-- In their order, as a later message says more than an earlier one. No process has one in its hands: all have stopped.
insert into messages (id, channel, recipient, account_id, notice_seq, subject, event, state, failures, next_attempt_at, created_at, ended_at, reason,
  modification, detail)
select id, channel, phone, account_id, notice_seq, dispatch_id, event,
  case state when 'waiting' then 'pending' when 'sent' then 'delivered' when 'dropped' then 'dropped' else 'failed' end, failures, next_attempt_at,
  created_at, coalesce(sent_at, given_up_at, dropped_at), case when state in ('refused', 'expired') then state else drop_reason end,
  carried_modification,
  jsonb_strip_nulls(jsonb_build_object('contactId', contact_id, 'name', name, 'gatewayId', gateway_id, 'text', text, 'error', last_error))
from phone_messages order by seq;
drop table phone_messages;

-- Of a dispatch to ten thousand webhooks, only what is to others is looked through.
create index messages_of_accounts on messages (subject, account_id) where channel <> 'webhook';
create index messages_to_recipients on messages (recipient, subject) where channel <> 'webhook';
-- A contact gets one of each notice, by each way. How many a phone got within an hour is counted.
create unique index messages_to_contacts on messages (notice_seq, channel, (detail ->> 'contactId')) where channel in ('sms', 'voice');
create index messages_to_phones on messages (recipient, channel, ended_at) where state = 'delivered' and channel in ('sms', 'voice');
