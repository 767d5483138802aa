-- breaks: no
-- What a person wants to be notified of, and how. Nobody is notified without a row.
create table notice_preferences (
  user_id text primary key references users,
  dispatch_mail boolean not null default false,
  dispatch_push boolean not null default false,
  change_mail boolean not null default false,
  change_push boolean not null default false,
  alarm_mail boolean not null default false,
  alarm_push boolean not null default false,
  -- As `HH:MM` in the time zone; null: no quiet hours.
  quiet_from text check (quiet_from ~ '^\d\d:\d\d$'),
  quiet_until text check (quiet_until ~ '^\d\d:\d\d$'),
  time_zone text not null,
  changed_at timestamptz not null,
  check ((quiet_from is null) = (quiet_until is null))
);

-- A browser that takes push messages for a person. It ends with the session that registered it last, unless that session
-- only expired.
create table push_subscriptions (
  id text primary key,
  seq bigint generated always as identity unique,
  user_id text not null references users,
  session_id text not null references sessions,
  endpoint_hash bytea not null unique,
  -- Sealed: the address and the keys of the browser.
  target text not null,
  -- Of the address, to limit what is in flight to one push service.
  host text not null,
  name text not null,
  created_at timestamptz not null,
  last_success_at timestamptz,
  -- Of the last attempt; null if it succeeded.
  last_error text
);
create index on push_subscriptions (user_id);

-- The key pair that push services know this service by.
create table push_keys (
  id text primary key check (id = 'vapid'),
  public_key text not null,
  private_key text not null
);

-- Notices to persons, one for each mail address and browser. Ten thousand rows at once when a large dispatch goes out: no
-- references, as for deliveries. `name` and `browser` are as they were then, as evidence needs them.
create table personal_notices (
  id text primary key,
  seq bigint generated always as identity,
  user_id text not null,
  -- Of the person; null for operators.
  account_id text,
  name text not null,
  channel text not null check (channel in ('mail', 'push')),
  -- Set for push only.
  subscription_id text,
  browser text,
  host text,
  dispatch_id text,
  event text check (event in ('dispatch.create', 'dispatch.update')),
  alarm_id text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped', 'failed')),
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  failures int not null default 0,
  last_error text,
  sent_at timestamptz,
  given_up_at timestamptz,
  check ((dispatch_id is null) <> (alarm_id is null)),
  check ((channel = 'push') = (subscription_id is not null)),
  check ((state = 'waiting') = (next_attempt_at is not null)),
  check ((state = 'sent') = (sent_at is not null)),
  check ((state = 'failed') = (given_up_at is not null))
);
create index on personal_notices (channel, next_attempt_at) where state = 'waiting';
create index on personal_notices (dispatch_id, account_id) where dispatch_id is not null;
create index on personal_notices (user_id, dispatch_id) where dispatch_id is not null;

-- Whether persons were notified. Notices from before are; those that the previous version writes are not yet.
alter table notices add column people_noted boolean not null default true;
alter table notices alter column people_noted set default false;
create index on notices (due_at) where not people_noted and state <> 'dropped';
