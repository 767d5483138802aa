-- breaks: no
-- Later migrations break the versions that it kept out, and distributed tables have no triggers.
drop trigger breaks_versions_before on telemetry_days;
drop function break_versions_before();
