-- breaks: yes, because processes of earlier versions mark what they told of changes of OpenADR 3, which cursors say now
-- What the broker has not taken yet. Where it took nothing within the week that changes are kept, there is none.
update openadr3_changes set xid = pg_current_xact_id()
where published_at is null and exists (select from openadr3_changes where published_at > '-infinity');
