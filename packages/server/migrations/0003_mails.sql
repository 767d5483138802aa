-- Mail to an account's dispatch contacts when a webhook could not be told (G31), written in the statement that fails
-- the delivery. One per account and notice: a notice is one change of a dispatch as participants were to hear of it.
create table mails (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references accounts,
  notice_seq bigint not null references notices,
  dispatch_id text not null references dispatches,
  event text not null,
  -- kept: there is no mail server to hand it to. no_contacts: nobody to send it to.
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'no_contacts', 'kept', 'expired')),
  failures int not null default 0,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  last_error text,
  unique (account_id, notice_seq),
  check ((next_attempt_at is not null) = (state = 'waiting')),
  check ((sent_at is not null) = (state = 'sent'))
);
create index on mails (next_attempt_at) where state = 'waiting';
