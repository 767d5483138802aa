-- breaks: yes, because processes of earlier versions mark what objects of OpenADR 3 are to follow, which the journal says now
-- Objects of OpenADR 3.1 follow the journal. The cursor comes first, in a transaction of its own: what the next migration appends is new to it.
insert into followers (name, seen, kinds, behind_after_seconds) values ('openadr3-projection', pg_current_snapshot(), '{}', 15);
