-- breaks: no
-- Versions before this one take a block with a power for one of a site that is not available, and leave it out.
alter table availability_blocks
  add column available_kw double precision check (available_kw > 0),
  add column series_id text;
