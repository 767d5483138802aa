-- breaks: yes, because processes of earlier versions mark what they told of changes of OpenADR 3, which cursors say now
-- What has no callbacks yet. A broker that took it already is told again, but for what was outdated after a restore.
update openadr3_changes set xid = pg_current_xact_id() where queued_at is null and published_at is distinct from '-infinity';

alter table openadr3_changes drop column queued_at, drop column published_at;
