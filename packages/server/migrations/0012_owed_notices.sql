-- Every dispatched account is owed a first success for each notice: a webhook's 2xx, a read, a VEN's acknowledgement, or a
-- mail that was handed over. A watch looks at each notice until every account of it is reached or mailed.
alter table notices
  -- Which state of the dispatch it tells of. 0 for its creation: whatever participants read of it first is as good.
  add column modification_number int not null default 0,
  -- When its time begins, as it was at the first look: the time of the notice, or the start of a service that was down.
  add column owed_since timestamptz,
  -- When to look next; null when nobody waits any more. Never set for participants' own tests, nor in the sandbox.
  add column owed_look_at timestamptz;
alter table sandbox.notices
  add column modification_number int not null default 0,
  add column owed_since timestamptz,
  add column owed_look_at timestamptz;
create index on notices (owed_look_at) where owed_look_at is not null;
create index on notices (dispatch_id) where owed_look_at is not null;

update notices set modification_number = (
  select coalesce(max(modification_number), 0) from dispatch_revisions
  where dispatch_revisions.dispatch_id = notices.dispatch_id and at <= due_at)
where event = 'dispatch.update';
-- Those to come are owed; of those that went out, participants were notified by the rules of then.
update notices set owed_look_at = due_at
from dispatches join programs on programs.id = program_id
where dispatches.id = dispatch_id and state = 'waiting' and not built_in;

-- How accounts poll GET /dispatches; gathered in memory and written seldom.
create table account_polls (
  account_id text primary key references accounts,
  last_at timestamptz not null,
  -- What lies between two polls, as a rule; null while it polled once.
  interval_seconds float8
) with (fillfactor = 70);
-- What is known before the first poll is noted: a use of a key, which may have been one.
insert into account_polls (account_id, last_at)
select account_id, max(last_used_at) from api_keys
where environment = 'production' and last_used_at is not null group by account_id;

-- dropped: nobody needs it any more, because a later one says more or the account is disabled.
alter table mails drop constraint mails_state_check;
alter table mails add constraint mails_state_check
  check (state in ('waiting', 'sent', 'no_contacts', 'kept', 'expired', 'dropped'));
alter table sandbox.mails drop constraint mails_state_check;
alter table sandbox.mails add constraint mails_state_check
  check (state in ('waiting', 'sent', 'no_contacts', 'kept', 'expired', 'dropped'));
alter table mails
  -- When the account's time to be reached otherwise had passed; null where only a webhook failed.
  add column overdue_at timestamptz,
  -- When it was reached after all, or a person took care of it.
  add column settled_at timestamptz,
  -- The state of the dispatch that a mail which was sent described.
  add column carried_modification int;
alter table sandbox.mails
  add column overdue_at timestamptz,
  add column settled_at timestamptz,
  add column carried_modification int;
update mails set carried_modification = (select modification_number from notices where seq = notice_seq)
where state = 'sent';
-- Alarms that stand are found by these from now on.
update mails set overdue_at = judged_at
where exists (select from alarms where kind = 'notice_failed' and subject = mails.id and cleared_at is null);
alter table mails drop column judged_at;
alter table sandbox.mails drop column judged_at;
create index on mails (dispatch_id) where overdue_at is not null and settled_at is null and state not in ('sent', 'dropped');
-- An account's mails of a dispatch are looked up for each that is claimed or made.
create index on mails (dispatch_id, account_id);
drop index mails_dispatch_id_idx;

-- Looked up whenever notices go out.
create index on accounts (id) where disabled;

alter table contacts add column phone text;
