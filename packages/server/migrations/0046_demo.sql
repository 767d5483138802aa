-- breaks: no
-- A simulated fleet, started on a service without accounts (decision 58). While there is a row, every account is the
-- demo's.
create table demo (
  -- At most one row.
  id text primary key default 'demo' check (id = 'demo'),
  state text not null check (state in ('preparing', 'on', 'removing')),
  started_at timestamptz not null,
  started_by text not null,
  -- Those that it created; they are removed with it.
  program_ids text[] not null default '{}',
  -- Up to when its meters have readings; null: its sites do not exist yet.
  filled_until timestamptz,
  -- Of the preparation or removal, from 0 to 1.
  progress float8 not null default 0,
  -- The process that works on it, and until when no other may.
  leased_by text,
  leased_until timestamptz
);

-- The rule does not depend on the version of the process: evidence is deleted only with a demo, so nothing else may
-- stand beside one.
create function refuse_demo_beside_accounts() returns trigger language plpgsql set search_path from current as $$
begin
  if exists (select from accounts) then
    raise exception 'a demo starts without accounts: % is refused', tg_op;
  end if;
  return new;
end
$$;
create trigger starts_without_accounts before insert on demo
  for each row execute function refuse_demo_beside_accounts();

create function refuse_account_beside_demo() returns trigger language plpgsql set search_path from current as $$
begin
  if exists (select from demo where state <> 'preparing') then
    raise exception 'the demo is on: % of an account is refused', tg_op;
  end if;
  return new;
end
$$;
create trigger stands_alone before insert on accounts
  for each row execute function refuse_account_beside_demo();

-- Evidence of a demo may be deleted while it is removed.
create or replace function refuse_evidence_change() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' and exists (select from demo where state = 'removing') then
    return null;
  end if;
  raise exception 'evidence rests on %: % is refused', tg_table_name, tg_op;
end
$$;
