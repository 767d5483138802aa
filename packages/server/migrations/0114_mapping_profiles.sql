-- breaks: no
-- Mappings of meter data that accounts keep under a name. `seq` orders them by when they were saved: the newest is used.
create table mapping_profiles (
  id text primary key,
  seq bigint generated always as identity unique,
  account_id text not null references accounts,
  name text not null,
  header text,
  mapping jsonb not null,
  saved_by text not null,
  saved_at timestamptz not null
);
create index on mapping_profiles (account_id, seq);
