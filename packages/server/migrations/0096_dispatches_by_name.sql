-- breaks: no
-- A search finds the newest dispatches of each name, a list those of a program. The onboarding of a site finds its tests among
-- the tests.
create index on dispatches (program_name, start_time);
create index on dispatches (program_id, seq);
create index on dispatches (id) where test;
create index on sandbox.dispatches (program_name, start_time);
create index on sandbox.dispatches (program_id, seq);
create index on sandbox.dispatches (id) where test;
