-- breaks: no
-- The program's settings when the dispatch was created.
alter table dispatches add column tests_are_events boolean not null default true, add column corrections_days int;
alter table sandbox.dispatches add column tests_are_events boolean not null default true, add column corrections_days int;
