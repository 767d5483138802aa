-- breaks: yes, because processes of earlier versions mark whom they notified, which a cursor of the journal says now
-- Notices to persons follow the journal. The cursor comes first, in a transaction of its own: what the next migration appends is new to it.
insert into followers (name, seen, kinds, behind_after_seconds) values ('personal-notices', pg_current_snapshot(), '{}', 15);
