-- breaks: no
-- What an account's systems passed in the sandbox, and when. It outlives the scenarios that it names.
create table sandbox.integration_certificates (
  seq bigint generated always as identity unique,
  id text primary key,
  -- Not a foreign key: what was certified is kept.
  account_id text not null,
  certified_at timestamptz not null,
  passes jsonb not null
);
create index on sandbox.integration_certificates (account_id, seq);
create trigger is_append_only before update or delete or truncate on sandbox.integration_certificates
  for each statement execute function refuse_evidence_change();

-- The key that acted last in a scenario; null if none did, as with VENs.
alter table sandbox.scenarios add column key_id text;
