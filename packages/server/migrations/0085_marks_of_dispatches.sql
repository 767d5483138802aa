-- breaks: no
-- What statements are drawn up from marks them: dispatches.
create trigger marks_statements after insert or update on dispatches for each row execute function mark_statements();
