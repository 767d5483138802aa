-- breaks: no
-- What statements are drawn up from marks them: rules that an operator adopted for earlier months. Those of an upgrade concern none yet.
create function mark_statements_of_rules() returns trigger language plpgsql set search_path from current as $$
begin
  insert into statement_marks (kind, id) values ('terms', new.from_month);
  return null;
end
$$;

create trigger marks_statements after insert on rules_adoptions
  for each row when (new.from_month is not null) execute function mark_statements_of_rules();
