-- breaks: no
-- OpenADR 3.1: who polls, who was told, and what is no longer needed.

-- How clients of VENs read their events.
create table openadr3_polls (
  client_id text primary key references openadr3_clients,
  last_at timestamptz not null,
  -- Usual time between two polls; null after a single poll.
  interval_seconds float8
) with (fillfactor = 70);

alter table openadr3_notices
  -- As it was then.
  add column client_name text not null default '';
-- What a VEN was told lately: a list that leaves an event out says that it is over.
create index on openadr3_notices (client_id, at);

-- Events of VENs in the sandbox follow its scenarios. There were no such VENs before.
update sandbox.notices set projected_at = due_at where due_at <= now();
create index on sandbox.notices (due_at) where projected_at is null and state <> 'dropped';
-- Few accounts have such VENs: scenarios of the others write nothing of production.
create function mark_openadr3_rehearsal() returns trigger language plpgsql set search_path from current as $$
begin
  insert into openadr3_stale (kind, id) select 'account', new.account_id
  where exists (select from openadr3_clients where account_id = new.account_id and environment = 'sandbox'
    and revoked_at is null);
  if found then
    notify openadr3_stale;
  end if;
  return null;
end
$$;
create trigger makes_stale after insert or update of replaced_at on sandbox.scenarios
  for each row execute function mark_openadr3_rehearsal();
