-- breaks: yes, because processes of earlier versions claim emails from a table that is gone
-- Emails to contacts move to the mailbox, with their ids. The recipient is the account, whose contacts get one email of a notice. `modification` says that
-- one of them has it: an email that the others do not have yet is pending. That an account missed its deadline is a row of its own.
create table escalations (
  message_id text primary key,
  -- When the account's time to be reached otherwise had passed.
  overdue_at timestamptz not null,
  -- When it was reached after all, or a person took care of it.
  settled_at timestamptz
);
create index escalations_open on escalations (message_id) where settled_at is null;

alter table messages
  drop constraint messages_reason_check,
  add constraint messages_reason_check check (reason in
    ('webhook_deleted', 'account_disabled', 'outdated', 'refused', 'expired', 'gone', 'no_contacts', 'kept')) not valid;
alter table sandbox.messages
  drop constraint messages_reason_check,
  add constraint messages_reason_check check (reason in
    ('webhook_deleted', 'account_disabled', 'outdated', 'refused', 'expired', 'gone', 'no_contacts', 'kept')) not valid;

-- Of emails without handovers, which versions of then did not keep, evidence has what is in `detail`.
insert into messages (id, channel, recipient, account_id, notice_seq, subject, event, state, failures, next_attempt_at, created_at, ended_at, reason,
  modification, detail)
select id, 'email', account_id, account_id, notice_seq, dispatch_id, event,
  case when state = 'waiting' or retry_at is not null then 'pending' when state = 'sent' then 'delivered' when state = 'dropped' then 'dropped'
    else 'failed' end,
  failures, coalesce(next_attempt_at, retry_at), created_at, coalesce(sent_at, given_up_at, dropped_at),
  case when state in ('no_contacts', 'kept', 'expired') then state else drop_reason end, carried_modification,
  jsonb_strip_nulls(jsonb_build_object('error', last_error))
    || case when state = 'sent' and not exists (select from mail_handovers where mail_id = mails.id)
      then jsonb_build_object('recipients', recipients, 'refused', refused_recipients) else '{}' end
from mails order by seq;
-- What was sent or dropped needs nobody.
insert into escalations (message_id, overdue_at, settled_at)
select id, overdue_at, case when state in ('sent', 'dropped') then coalesce(settled_at, sent_at, dropped_at, overdue_at) else settled_at end
from mails where overdue_at is not null order by seq;
drop table mails, sandbox.mails;

create unique index messages_to_accounts on messages (account_id, notice_seq) where channel = 'email';
