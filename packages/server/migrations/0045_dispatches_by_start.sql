-- breaks: no
-- Past dispatches are listed by their start: a page is read without reading all of them.
create index on dispatches (start_time, id);
create index on sandbox.dispatches (start_time, id);
