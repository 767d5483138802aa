-- breaks: no
-- How long a dispatch without an end may run before operators are alarmed.
alter table programs add column longest_open_hours int not null default 24;
alter table sandbox.programs add column longest_open_hours int not null default 24;
