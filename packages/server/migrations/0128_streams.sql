-- breaks: yes, because processes of earlier versions mark what they told of changes of OpenADR 3, which cursors say now
-- A follower reads the journal or changes of OpenADR 3. One with an effect outside of the database holds its cursor by a lease.
alter table followers
  add column stream text not null default 'journal' check (stream in ('journal', 'openadr3_changes')),
  add column leased_by text,
  add column leased_until timestamptz,
  -- null: another alarm tells of it.
  alter column behind_after_seconds drop not null;

-- The publisher to an outside broker. What the next migration touches is new to it.
insert into followers (name, stream, seen, kinds, behind_after_seconds)
values ('openadr3-broker', 'openadr3_changes', pg_current_snapshot(), '{}', null);
