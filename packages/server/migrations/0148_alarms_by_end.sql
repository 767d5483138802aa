-- breaks: no
-- Alarms of a shift are found by their end (0145).
create index alarms_by_end on alarms (cleared_at) where cleared_at is not null;
