-- People who sign in. Operators' roles see all accounts, participants' roles one.
create table users (
  id text primary key,
  seq bigint generated always as identity unique,
  email text not null,
  name text not null,
  role text not null
    check (role in ('operator-admin', 'operator', 'auditor', 'participant-admin', 'participant-viewer')),
  account_id text references accounts,
  password_hash text,
  -- Kept as it is: codes are computed from it.
  totp_secret text,
  totp_confirmed_at timestamptz,
  totp_last_step bigint,
  oidc_issuer text,
  oidc_subject text,
  disabled boolean not null default false,
  created_at timestamptz not null,
  unique (oidc_issuer, oidc_subject),
  check ((account_id is not null) = (role in ('participant-admin', 'participant-viewer'))),
  check (totp_confirmed_at is null or totp_secret is not null),
  check ((oidc_issuer is null) = (oidc_subject is null))
);
create unique index on users (lower(email));
create index on users (account_id, seq);

-- One-time links. Without a user: for the first operator-admin, as long as there is no user.
create table user_invitations (
  token_hash bytea primary key,
  user_id text references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on user_invitations (user_id);

create table sessions (
  id text primary key,
  seq bigint generated always as identity unique,
  token_hash bytea not null unique,
  user_id text not null references users,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  user_agent text not null,
  address text not null
);
create index on sessions (user_id, seq);
