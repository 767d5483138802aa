-- breaks: no
-- Programs of the simulated site (0144).
alter table programs add column is_simulated boolean not null default false;
alter table sandbox.programs add column is_simulated boolean not null default false;
