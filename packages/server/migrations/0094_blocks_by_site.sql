-- breaks: no
-- A page of an account's blocks is put together from the first of each of its sites.
create index on availability_blocks (site_id, seq);
