-- VENs of the OpenADR channel. Deleting one keeps its row: what it was shown and answered stays provable.
create table vens (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references accounts,
  -- Its own name: in the address it polls, and the common name of its certificates.
  ven_id text not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- Null: all sites of the account, those to come too.
  site_ids text[],
  push_url text,
  -- Authority (PEM) of the server at push_url.
  push_ca text,
  target_resource text not null check (target_resource in ('site_id', 'customer_location_id')),
  target_ven_id boolean not null,
  market_context text not null check (market_context in ('*', 'program')),
  poll_interval_seconds int not null check (poll_interval_seconds > 0),
  created_at timestamptz not null,
  deleted_at timestamptz,
  last_poll_at timestamptz,
  last_acknowledgement_at timestamptz,
  check (push_ca is null or push_url is not null)
);
create unique index on vens (ven_id) where deleted_at is null;
create index on vens (account_id, seq) where deleted_at is null;

-- A VEN is known by the SHA-256 of its certificate, in lower-case hex. Two may be good side by side.
create table ven_certificates (
  fingerprint text primary key,
  ven text not null references vens,
  pem text not null,
  not_before timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null
);
create index on ven_certificates (ven, created_at);
create index on ven_certificates (expires_at) where revoked_at is null;

-- One-time links that make a key and a certificate for it, and show both once.
create table ven_claims (
  token_hash bytea primary key,
  ven text not null references vens,
  -- How long the certificate will be good.
  days int not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

-- What each VEN knows of each event. No foreign key to dispatches: an answer must not wait for a change that holds its
-- row, and events of the sandbox are not in there.
create table ven_events (
  seq bigint generated always as identity,
  ven text not null references vens,
  dispatch_id text not null,
  first_shown_at timestamptz not null,
  shown_modification int not null,
  -- When it was first shown that modification: how long an answer is awaited counts from here.
  modification_shown_at timestamptz not null,
  -- Its place in the order of creation within its market context, the same as long as it lives.
  priority int,
  -- The newest modification it answered, with its latest answer to it.
  acknowledged_modification int,
  opt text check (opt in ('optIn', 'optOut')),
  response_code text,
  acknowledged_at timestamptz,
  primary key (ven, dispatch_id),
  check (num_nulls(acknowledged_modification, opt, response_code, acknowledged_at) in (0, 4))
);
create index on ven_events (ven, seq);
create index on ven_events (dispatch_id);

-- When each modification was first shown to a VEN, and how.
create table ven_showings (
  ven text not null references vens,
  dispatch_id text not null,
  modification_number int not null,
  how text not null check (how in ('poll', 'push')),
  at timestamptz not null,
  primary key (ven, dispatch_id, modification_number, how)
);
create index on ven_showings (dispatch_id);

-- Every answer in the order they came, those to superseded modifications too.
create table ven_acknowledgements (
  seq bigint generated always as identity primary key,
  ven text not null references vens,
  dispatch_id text not null,
  -- Any that a VEN may name.
  modification_number bigint not null,
  opt text not null check (opt in ('optIn', 'optOut')),
  response_code text not null,
  at timestamptz not null
);
create index on ven_acknowledgements (ven, dispatch_id, seq);
create index on ven_acknowledgements (dispatch_id);

-- Events that a VEN was not told of because its replyLimit had no room for them: when first, of each modification.
create table ven_omissions (
  ven text not null references vens,
  dispatch_id text not null,
  modification_number int not null,
  reply_limit bigint not null,
  at timestamptz not null,
  primary key (ven, dispatch_id, modification_number)
);
create index on ven_omissions (dispatch_id);

-- Where the pushes of events to VENs stand: of which modification a VEN was told, or is to be told again.
create table ven_pushes (
  ven text not null references vens,
  dispatch_id text not null,
  modification_number int not null,
  failures int not null,
  -- Null when it was told, or when it is given up.
  next_attempt_at timestamptz,
  -- Whoever pushes to the VEN has it until then: one message at a time, so that none overtakes another.
  leased_until timestamptz,
  primary key (ven, dispatch_id)
);

-- Every push, once for each event that it was to tell of.
create table ven_push_attempts (
  seq bigint generated always as identity primary key,
  ven text not null references vens,
  dispatch_id text not null,
  modification_number int not null,
  number int not null,
  at timestamptz not null,
  status int,
  duration_ms int not null,
  address text,
  error text
);
create index on ven_push_attempts (dispatch_id);
