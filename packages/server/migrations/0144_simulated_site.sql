-- breaks: no
-- A simulated site next to real ones (decision 117): an account, a program and a site of its own, which no total, report or statement has.
alter table accounts add column is_simulated boolean not null default false;

create table simulated_site (
  -- At most one row.
  id text primary key default 'simulated_site' check (id = 'simulated_site'),
  state text not null check (state in ('preparing', 'on', 'removing')),
  started_at timestamptz not null,
  started_by text not null,
  -- No foreign keys: the row goes last.
  account_id text not null,
  program_id text not null,
  site_id text not null,
  -- Up to when its meter has readings.
  filled_until timestamptz not null,
  -- Set only in the transaction that deletes what belongs to it, so that no other one may delete evidence.
  is_being_deleted boolean not null default false,
  -- The process that works on it, and until when no other may.
  leased_by text,
  leased_until timestamptz
);

create or replace function refuse_evidence_change() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' and (
    exists (select from demo where state = 'removing') or exists (select from simulated_site where is_being_deleted)
  ) then
    return null;
  end if;
  raise exception 'evidence rests on %: % is refused', tg_table_name, tg_op;
end
$$;
