-- What needs a person. A row is kept when it is over.
create table alarms (
  id text primary key,
  seq bigint generated always as identity unique,
  kind text not null,
  -- Id of what is wrong; of which noun depends on the kind.
  subject text not null,
  account_id text references accounts,
  message text not null,
  raised_at timestamptz not null,
  acknowledged_at timestamptz,
  cleared_at timestamptz
);
-- However long something lasts and whoever finds it, it is one alarm.
create unique index on alarms (kind, subject) where cleared_at is null;
create index on alarms (seq) where cleared_at is null;

-- When it was decided whether this mail, which went to nobody, leaves its account untold. Decided once: nothing that
-- comes later tells the account in time.
alter table mails add column judged_at timestamptz;
create index on mails (seq) where judged_at is null and state in ('no_contacts', 'kept', 'expired');
