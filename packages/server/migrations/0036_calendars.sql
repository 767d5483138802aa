-- breaks: no

-- Secret addresses at which a person's calendar program reads dispatches. Only the hash of the secret is stored.
create table calendars (
  seq bigint generated always as identity,
  id text primary key,
  user_id text not null references users,
  token_hash bytea not null unique,
  name text not null,
  program_id text references programs,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index calendars_of_user on calendars (user_id, seq);
