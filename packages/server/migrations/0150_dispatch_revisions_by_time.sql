-- breaks: no
-- Changes of dispatches in a shift are found by their time (0145).
create index dispatch_revisions_by_time on dispatch_revisions (at);
