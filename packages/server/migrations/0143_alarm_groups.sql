-- breaks: no
-- Alarms are grouped by the dispatch that they name first, and by their cause; each may be assigned, and shelved until a time.
alter table alarms
  add column dispatch_id text generated always as (substring(subject || ' ' || message from '\mdis_\w+')) stored,
  -- Why, in a word of the kind; null: the kind has one reason only, or the version before raised it.
  add column reason text,
  -- Who acknowledged it.
  add column acknowledged_by text,
  add column assigned_to text,
  add column shelved_until timestamptz;
create index alarms_by_group on alarms ((coalesce(dispatch_id, '')), kind, seq) where cleared_at is null;
-- What is raised again while it is shelved stays shelved.
create index alarms_shelved on alarms (kind, subject) where shelved_until is not null;
