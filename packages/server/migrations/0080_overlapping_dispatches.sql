-- breaks: no
-- Which dispatches overlap a period: all but these last at most 31 days.
create index on dispatches (start_time) where end_time is null or end_time - start_time > interval '744 hours';
create index on sandbox.dispatches (start_time) where end_time is null or end_time - start_time > interval '744 hours';
