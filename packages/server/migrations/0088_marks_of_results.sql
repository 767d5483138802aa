-- breaks: no
-- What statements are drawn up from marks them: results.
create trigger marks_statements after insert on performance_versions for each row execute function mark_statements();

-- What the version before had not looked at yet when it stopped.
insert into statement_marks (kind, id) select 'dispatch', id from dispatches where changed_at > now() - interval '1 day';
insert into statement_marks (kind, id) select 'dispatch', dispatch_id from performance_versions where at > now() - interval '1 day';
insert into statement_marks (kind, id) select 'terms', from_month from program_terms where set_at > now() - interval '1 day';
