-- breaks: no
-- Interval of a meter's newest readings, as uploads tell it: what is due by now depends on it. Null until the next upload.
alter table meters add column interval_seconds int;
