-- breaks: no
-- What statements are drawn up from marks them: enrolments.
create trigger marks_statements after insert or update or delete on enrolments for each row execute function mark_statements();
