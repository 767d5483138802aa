-- breaks: no
-- Where accounts get messages of channels that need nothing but an address, such as chat rooms. The address is a secret: it is sealed, and forgotten
-- once it is removed. Messages to it are in `messages`, whose recipient it is.
create table channel_addresses (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references accounts,
  channel text not null,
  name text not null,
  form text,
  address text,
  hint text not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  -- Attempts in a row that its receiver did not take; what is given up counts as many.
  failures int not null default 0,
  last_error text,
  last_success_at timestamptz
);
create index on channel_addresses (account_id, seq) where deleted_at is null;
create index channel_addresses_failing on channel_addresses (failures) where failures > 0 and deleted_at is null;

alter table messages
  drop constraint messages_reason_check,
  add constraint messages_reason_check check (reason in ('webhook_deleted', 'address_deleted', 'account_disabled', 'outdated', 'refused', 'expired',
    'gone', 'no_contacts', 'kept')) not valid;
alter table sandbox.messages
  drop constraint messages_reason_check,
  add constraint messages_reason_check check (reason in ('webhook_deleted', 'address_deleted', 'account_disabled', 'outdated', 'refused', 'expired',
    'gone', 'no_contacts', 'kept')) not valid;

-- An address gets one message of each notice.
create unique index messages_to_addresses on messages (notice_seq, recipient) where starts_with(recipient, 'adr_');

-- What was notified before has no messages to addresses: there were none.
insert into followers (name, seen, kinds, behind_after_seconds) values ('addressed-messages', pg_current_snapshot(), '{}', 15);
