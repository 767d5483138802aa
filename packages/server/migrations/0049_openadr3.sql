-- breaks: no
-- OpenADR 3.1 (decision 66). Both environments share these tables: the client of a request decides which it sees, as
-- with API keys and VENs.

-- A client has a secret, or is known to an outside issuer of tokens by `external_id`.
create table openadr3_clients (
  seq bigint generated always as identity unique,
  -- The clientID in OpenADR, `oac_…`.
  id text primary key,
  role text not null check (role in ('bl', 'ven')),
  -- Of a VEN; business logic is the operator's.
  account_id text references accounts,
  environment text not null check (environment in ('production', 'sandbox')),
  name text not null,
  -- null: all current and future sites of the account.
  site_ids text[],
  scopes text[] not null,
  external_id text unique,
  secret_hash bytea,
  -- Accepted until then, for the change-over.
  previous_secret_hash bytea,
  previous_secret_until timestamptz,
  -- Tokens issued before are refused.
  tokens_from timestamptz not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  check ((account_id is not null) = (role = 'ven')),
  check ((external_id is null) = (secret_hash is not null))
);
create index on openadr3_clients (account_id, seq);

-- Programs, events, reports, subscriptions, vens and resources.
create table openadr3_objects (
  -- The order of lists: that of creation.
  seq bigint generated always as identity unique,
  id text primary key,
  environment text not null check (environment in ('production', 'sandbox')),
  object_type text not null
    check (object_type in ('PROGRAM', 'EVENT', 'REPORT', 'SUBSCRIPTION', 'VEN', 'RESOURCE')),
  -- The owner of a report, subscription, ven or resource; null for programs and events. A VEN reads its own only. Not a
  -- foreign key: business logic may write ids that we do not know.
  client_id text,
  -- Of an event; of a subscription, if it has one.
  program_id text references openadr3_objects,
  -- Of a report.
  event_id text references openadr3_objects,
  -- Of a resource. Of an event: the only ven that sees it; null: its targets decide.
  ven_id text references openadr3_objects,
  -- programName, eventName, venName or resourceName; clientName of a report or subscription.
  name text,
  -- Of programs and events: who sees them. Of vens and resources: what their VEN is granted.
  targets text[] not null default '{}',
  -- Of an event: when its last interval ends; null: never.
  transpires_at timestamptz,
  -- The members of the request, without bearer tokens.
  body jsonb not null,
  -- Sealed JSON: the bearer tokens of a subscription, one for each entry of objectOperations.
  bearer_tokens text,
  -- null: written by a client. Else it is made from our own program, dispatch, client or site, and follows it.
  source text check (source in ('program', 'dispatch', 'client', 'site')),
  source_id text,
  -- Of a ven that was made with its client: when the client registered and took it over; null: not yet.
  registered_at timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  check ((source is null) = (source_id is null)),
  check ((client_id is null) = (object_type in ('PROGRAM', 'EVENT')))
);
create index on openadr3_objects (environment, object_type, seq);
create index on openadr3_objects (client_id, object_type, seq) where client_id is not null;
create index on openadr3_objects (program_id) where program_id is not null;
create index on openadr3_objects (event_id) where event_id is not null;
create index on openadr3_objects (ven_id) where ven_id is not null;
-- One object for each source; one event for each dispatch and ven.
create unique index openadr3_objects_source on openadr3_objects (environment, object_type, source, source_id, ven_id)
  nulls not distinct where source is not null;
create unique index openadr3_objects_name on openadr3_objects (environment, object_type, name)
  where object_type in ('PROGRAM', 'VEN');
create unique index openadr3_objects_client on openadr3_objects (environment, client_id) where object_type = 'VEN';
create unique index openadr3_objects_resource on openadr3_objects (ven_id, name) where object_type = 'RESOURCE';

-- What was created, updated and deleted, in the transaction of the change. Webhooks and MQTT read only this.
create table openadr3_changes (
  seq bigint generated always as identity primary key,
  environment text not null,
  operation text not null check (operation in ('CREATE', 'UPDATE', 'DELETE')),
  object_type text not null,
  object_id text not null,
  -- As it is told: after the change, or before the deletion. Without bearer tokens.
  object jsonb not null,
  -- As in openadr3_objects, but an event without targets has those of its program.
  targets text[] not null,
  client_id text,
  program_id text,
  ven_id text,
  source text,
  source_id text,
  -- The client that wrote it; null: it followed its source.
  written_by text,
  at timestamptz not null,
  -- When its deliveries to webhooks were written; null: due.
  queued_at timestamptz,
  -- When it was published to the MQTT broker; null: due.
  published_at timestamptz
);
create index on openadr3_changes (seq) where queued_at is null;
create index on openadr3_changes (seq) where published_at is null;
create index on openadr3_changes (object_id, seq);

-- A change for one entry of a subscription's objectOperations.
create table openadr3_deliveries (
  id text primary key,
  seq bigint generated always as identity unique,
  change_seq bigint not null references openadr3_changes,
  -- Not a foreign key: what was sent outlives the subscription.
  subscription_id text not null,
  entry int not null,
  client_id text not null,
  object_id text not null,
  url text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'dropped')),
  failures int not null default 0,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz not null,
  dropped_at timestamptz,
  drop_reason text,
  unique (change_seq, subscription_id, entry),
  check ((next_attempt_at is not null) = (state = 'pending'))
);
create index on openadr3_deliveries (next_attempt_at) where state = 'pending';
create index on openadr3_deliveries (subscription_id, object_id, seq) where state = 'pending';
create index on openadr3_deliveries (leased_until) where leased_until is not null;
create index on openadr3_deliveries (client_id, seq);

create table openadr3_attempts (
  delivery_id text not null,
  number int not null,
  at timestamptz not null,
  status int,
  duration_ms int not null,
  address text,
  error text,
  gave_up boolean not null,
  primary key (delivery_id, number)
);
