-- breaks: no
-- What all its sites are together, written with a dispatch, whose sites never change: a list reads tens of thousands of rows
-- otherwise. null: of the version before, and counted.
alter table dispatches
  add column called_sites int,
  add column called_kw double precision;
alter table sandbox.dispatches
  add column called_sites int,
  add column called_kw double precision;
