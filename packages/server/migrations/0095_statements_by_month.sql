-- breaks: no
-- Terms concern the statements of their months and later.
create index on statements (month);
