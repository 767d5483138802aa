-- breaks: no
-- The meters whose sum is the load of a site; null: its points of interconnection or, without any, all.
alter table sites add column measured_meters text[] check (cardinality(measured_meters) > 0);
-- Always empty: dispatches are written by a statement that names them.
create table sandbox.sites (like sites including all);
create table sandbox.meters (like meters including all);
