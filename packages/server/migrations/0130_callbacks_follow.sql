-- breaks: yes, because processes of earlier versions mark what they told of changes of OpenADR 3, which cursors say now
-- Callbacks. What the broker has not taken is known to them; what the next migration touches is new to both.
insert into followers (name, stream, seen, kinds, behind_after_seconds)
values ('openadr3-callbacks', 'openadr3_changes', pg_current_snapshot(), '{}', 15);
