-- breaks: no
-- OpenADR 3.1 (decision 65): its programs, vens, resources and events follow ours.

-- Programs and accounts whose objects may have to change. Written with the change itself, so that no way to change a
-- site is forgotten; not unique, so that nobody waits for anybody.
create table openadr3_stale (
  seq bigint generated always as identity primary key,
  kind text not null check (kind in ('program', 'account')),
  id text not null
);

-- Of which kind, and the column with the id: rows that move from one account to another concern both.
create function mark_openadr3_stale() returns trigger language plpgsql set search_path from current as $$
declare
  before constant text := case when tg_op <> 'INSERT' then to_jsonb(old) ->> tg_argv[1] end;
  after constant text := case when tg_op <> 'DELETE' then to_jsonb(new) ->> tg_argv[1] end;
begin
  insert into openadr3_stale (kind, id)
  select tg_argv[0], id from unnest(array[before, nullif(after, before)]) as changed (id) where id is not null;
  notify openadr3_stale;
  return null;
end
$$;

alter table notices
  -- When events followed its dispatch; null: not yet.
  add column projected_at timestamptz;
alter table sandbox.notices add column projected_at timestamptz;
-- There were no clients before.
update notices set projected_at = due_at where due_at <= now();
create index on notices (due_at) where projected_at is null and state <> 'dropped';

-- Each state of a dispatch that a VEN could see from then on, as it was then: the evidence of it.
create table openadr3_notices (
  dispatch_id text not null,
  client_id text not null references openadr3_clients,
  modification_number int not null,
  account_id text not null,
  operation text not null check (operation in ('CREATE', 'UPDATE', 'DELETE')),
  event_id text not null,
  site_ids text[] not null,
  -- Of the event: what was read later shows the newest state before it.
  modified_at timestamptz not null,
  change_seq bigint not null,
  at timestamptz not null,
  primary key (dispatch_id, client_id, modification_number)
);
create index on openadr3_notices (event_id, modified_at);
create index on openadr3_notices (change_seq);

-- The first answer to each VEN that had the event in this state.
create table openadr3_showings (
  dispatch_id text not null,
  client_id text not null references openadr3_clients,
  modification_number int not null,
  at timestamptz not null,
  primary key (dispatch_id, client_id, modification_number)
);

-- What VENs answered by reporting operating states.
create table openadr3_answers (
  seq bigint generated always as identity primary key,
  dispatch_id text not null,
  client_id text not null references openadr3_clients,
  -- The newest that it could see.
  modification_number int not null,
  report_id text not null,
  -- null: an error, which is no answer.
  opt text check (opt in ('optIn', 'optOut')),
  state text not null,
  resource_names text[] not null,
  at timestamptz not null
);
create index on openadr3_answers (dispatch_id, client_id);

create trigger is_append_only before update or delete or truncate on openadr3_notices
  for each statement execute function refuse_evidence_change();
create trigger is_append_only before update or delete or truncate on openadr3_showings
  for each statement execute function refuse_evidence_change();
create trigger is_append_only before update or delete or truncate on openadr3_answers
  for each statement execute function refuse_evidence_change();
