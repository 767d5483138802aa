-- breaks: no
-- Phone calls of a shift are found by their time (0145).
create index phone_calls_by_time on phone_calls (recorded_at);
