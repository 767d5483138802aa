-- breaks: no
-- From when on results and statements follow the rules of a version. The first version needs no row: it holds before all others.
create table rules_adoptions (
  seq bigint generated always as identity primary key,
  rules_version int not null,
  adopted_at timestamptz not null default now(),
  -- The first local month of a program, YYYY-MM; null: the month after that of `adopted_at`.
  from_month text,
  -- Who adopted them earlier than the upgrade did, and why.
  actor text,
  reason text
);

-- An upgrade restates nothing that was paid: the new rules hold from the next month, unless there is nothing yet.
insert into rules_adoptions (rules_version, from_month)
select 2, case when exists (select from dispatches) or exists (select from program_terms) then null else '2000-01' end;

create constraint trigger is_visible after insert or update or delete on rules_adoptions
  deferrable initially deferred for each row execute function stamp_visible('dispatches');

-- Results that exist, and those of processes of the version before, were made by the first rules.
alter table performance_versions
  add column rules_version int not null default 1,
  drop constraint performance_versions_reason_check,
  add constraint performance_versions_reason_check
    check (reason in ('complete', 'overdue', 'corrected', 'event_days', 'excluded_days', 'rules', 'decided', 'approved'));
