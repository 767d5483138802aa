-- Deleting a webhook keeps its row: what was sent to it stays provable.
create table webhooks (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references accounts,
  url text not null,
  events text[] not null,
  secret text not null,
  -- Valid beside the new one for a while after a rotation, so that receivers may change over.
  previous_secret text,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  check ((previous_secret is null) = (previous_secret_until is null))
);
create index on webhooks (account_id, seq) where deleted_at is null;

-- The outbox: written in the transaction of the dispatch change, turned into deliveries when it is due, so that a
-- webhook registered before the notification time is told too.
create table notices (
  seq bigint generated always as identity primary key,
  dispatch_id text not null references dispatches,
  event text not null check (event in ('dispatch.create', 'dispatch.update')),
  due_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped')),
  -- Webhooks up to this `seq` have their deliveries: the many of a large dispatch are made bit by bit.
  expanded_to bigint not null default 0
);
create index on notices (due_at) where state = 'waiting';

-- Ten thousand rows at once when a large dispatch goes out: no more indexes than are used, and no references, which cost
-- as much as the row. Rows are only made by a statement that selects their webhook and notice, and neither is ever
-- deleted. `dispatch_id` and `event` are the notice's.
create table deliveries (
  id text primary key,
  seq bigint generated always as identity,
  webhook_id text not null,
  notice_seq bigint not null,
  dispatch_id text not null,
  event text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'dropped')),
  failures int not null default 0,
  next_attempt_at timestamptz,
  -- Whoever sends it has it until then; a worker that dies gives it back by time.
  leased_until timestamptz,
  -- An operator asked for it to go out once more, whatever its state, apart from the order; null once it went.
  resend_at timestamptz,
  created_at timestamptz not null,
  check ((next_attempt_at is not null) = (state = 'pending'))
);
create index on deliveries (next_attempt_at) where state = 'pending';
create index on deliveries (webhook_id, dispatch_id, seq) where state = 'pending';
create index on deliveries (leased_until) where leased_until is not null;
create index on deliveries (resend_at) where resend_at is not null;
create index on deliveries (webhook_id, seq);
create index on deliveries (dispatch_id, seq);

create table delivery_attempts (
  delivery_id text not null,
  number int not null,
  at timestamptz not null,
  status int,
  duration_ms int not null,
  address text,
  error text,
  -- An operator asked for it, beside the retries.
  is_resend boolean not null,
  primary key (delivery_id, number)
);
