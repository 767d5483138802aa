-- An email belongs to a person once an invitation was accepted: until then several accounts may invite it. Who is
-- deleted keeps the name, so that the audit log can go on saying who it was.
alter table users add column accepted_at timestamptz, add column deleted_at timestamptz;
update users set accepted_at = created_at where password_hash is not null or oidc_subject is not null;
drop index users_lower_idx;
create unique index users_owned_email on users (lower(email)) where accepted_at is not null and deleted_at is null;
create unique index users_invited_email on users (coalesce(account_id, ''), lower(email)) where deleted_at is null;

-- One-time codes that stand in for those of an authenticator app.
create table recovery_codes (
  user_id text not null references users,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Browsers that signed in before; one that several people use has a row for each.
create table devices (
  token_hash bytea not null,
  user_id text not null references users,
  last_used_at timestamptz not null,
  primary key (token_hash, user_id)
);
create index on devices (user_id, last_used_at);
