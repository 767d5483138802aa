-- breaks: no
-- Whether the messages of a notice were made. Notices until now are not sent again; those that a process of the previous
-- version adds are found by one of this.
alter table notices add column phoned boolean not null default true;
alter table notices alter column phoned set default false;
create index notices_to_phone on notices (seq) where not phoned;

-- Rows are only made by a statement that selects their account and notice, and neither is ever deleted: no references.
create table phone_messages (
  seq bigint generated always as identity unique,
  id text primary key,
  account_id text not null,
  notice_seq bigint not null,
  dispatch_id text not null,
  event text not null,
  channel text not null check (channel in ('sms', 'voice')),
  -- The contact as it was: it may be removed before the message is sent.
  contact_id text not null,
  name text not null,
  phone text not null,
  -- refused: the gateway will never take it. expired: it took too long. dropped: a later one says more.
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'expired', 'dropped')),
  failures int not null default 0,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  given_up_at timestamptz,
  last_error text,
  -- What the gateway calls it.
  gateway_id text,
  carried_modification int,
  unique (notice_seq, contact_id, channel),
  check ((next_attempt_at is not null) = (state = 'waiting')),
  check ((sent_at is not null) = (state = 'sent'))
);
create index on phone_messages (next_attempt_at) where state = 'waiting';
create index on phone_messages (dispatch_id, account_id);
create index on phone_messages (phone, channel, sent_at) where state = 'sent';
