-- breaks: no
-- As on packed days: an archive is recorded together with what it deletes from a shard, and with nothing else.
drop trigger breaks_versions_before on telemetry_archives;
drop function break_versions_before_archives();
