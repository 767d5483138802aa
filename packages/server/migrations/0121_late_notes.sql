-- breaks: yes, because processes of earlier versions note late readings in tables that are gone
-- What results are measured from, and changed late: one open note for a site and a reason, however often it changes.
create table late_notes (
  -- A new number whenever the note is widened: whoever saw an earlier one has not seen what was added.
  seq bigint generated always as identity primary key,
  -- The site's key, as in telemetry.
  site int not null,
  reason text not null check (reason in ('corrected', 'event_days', 'excluded_days', 'rules', 'decided')),
  -- The only dispatch that it concerns; null: those of its period.
  dispatch_id text,
  -- Who did it by hand, and what versions say about it; null for what the service noted.
  actor text,
  note text,
  from_at timestamptz not null,
  to_at timestamptz not null,
  first_noted_at timestamptz not null,
  noted_at timestamptz not null,
  -- When the change was stored. null: it is being stored, by an upload whose note is a row of its own until then.
  settled_at timestamptz,
  -- When the dispatches that it concerns are to be found.
  due_at timestamptz not null,
  -- When they were found. Notes are kept for an hour afterwards, for processes that follow the site's dispatches.
  found_at timestamptz
);
create unique index late_notes_open on late_notes (site, reason, coalesce(dispatch_id, ''), md5(coalesce(note, '')))
  where settled_at is not null and found_at is null;
create index on late_notes (due_at) where found_at is null;
create index on late_notes (settled_at);
create index on late_notes (found_at) where found_at is not null;

-- Sites of dispatches to be measured again, until they are.
create table late_corrections (
  -- Likewise a new number whenever there is more to correct.
  seq bigint generated always as identity primary key,
  dispatch_id text not null,
  site_id text not null,
  reason text not null check (reason in ('corrected', 'event_days', 'excluded_days', 'rules', 'decided')),
  actor text,
  note text,
  first_noted_at timestamptz not null,
  noted_at timestamptz not null,
  -- When to look at it again.
  due_at timestamptz not null
);
create unique index late_corrections_open on late_corrections (dispatch_id, site_id, reason, md5(coalesce(note, '')));
create index on late_corrections (due_at);

-- Notes of uploads that were not ended belong to a process that is gone.
insert into late_notes (site, reason, from_at, to_at, first_noted_at, noted_at, settled_at, due_at)
select site, 'corrected', min(from_at), max(to_at), min(first_noted_at), max(noted_at), now(), now()
from late_spans group by site;
insert into late_corrections (dispatch_id, site_id, reason, actor, note, first_noted_at, noted_at, due_at)
select dispatch_id, site_id, reason, max(actor), note, min(noted_at), max(noted_at), now()
from late_readings where handled_at is null group by dispatch_id, site_id, reason, note;

drop table late_spans;
drop table late_readings;
