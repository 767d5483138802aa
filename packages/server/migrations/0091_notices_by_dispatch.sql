-- breaks: no
-- Evidence finds the notices of a dispatch.
create index notices_of_dispatch on notices (dispatch_id);
create index notices_of_dispatch on sandbox.notices (dispatch_id);
