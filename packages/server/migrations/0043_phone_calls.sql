-- breaks: no
-- Calls by which an operator notified an account of a state of a dispatch. A row never changes.
create table phone_calls (
  seq bigint generated always as identity primary key,
  dispatch_id text not null references dispatches,
  account_id text not null references accounts,
  modification_number int not null,
  -- When the person was reached, and when this was recorded.
  at timestamptz not null,
  recorded_at timestamptz not null,
  person text not null,
  note text not null,
  actor text not null
);
create index phone_calls_dispatch on phone_calls (dispatch_id, account_id);
create trigger is_append_only before update or delete or truncate on phone_calls
  for each statement execute function refuse_evidence_change();

alter table alarms add column note text;
