-- breaks: no
-- The simulated site itself (0144).
alter table sites add column is_simulated boolean not null default false;
alter table sandbox.sites add column is_simulated boolean not null default false;
