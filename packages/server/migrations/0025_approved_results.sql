-- breaks: no
-- Who made a version by hand, and why.
alter table performance_versions add column actor text, add column note text;
alter table performance_versions drop constraint performance_versions_reason_check;
alter table performance_versions add constraint performance_versions_reason_check
  check (reason in ('complete', 'overdue', 'corrected', 'event_days', 'approved'));

-- Days after the end of a dispatch until which corrections change its result; null: for ever.
alter table programs add column corrections_days int check (corrections_days > 0);
alter table sandbox.programs add column corrections_days int check (corrections_days > 0);
alter table dispatches add column corrections_days int;
alter table sandbox.dispatches add column corrections_days int;
