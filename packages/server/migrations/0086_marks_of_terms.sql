-- breaks: no
-- What statements are drawn up from marks them: program_terms.
create trigger marks_statements after insert on program_terms for each row execute function mark_statements();
