-- breaks: yes, because processes of earlier versions look for marks that nobody writes any more
-- What statements are drawn up from is followed in the journal, and no trigger marks them.
alter table statements
  -- When to draw it up next: after a change, or once its month is over. While a process draws it up: when another one may.
  add column due_at timestamptz default 'epoch',
  -- Up to when it took in what changed; null: it was made and not looked at since.
  add column drawn_at timestamptz;
update statements set due_at = case when due_seq is null then case when drawn_early then ends_at end else 'epoch' end;

-- What was marked and not looked at yet; more than it concerns may be drawn up again, which changes nothing.
update statements set due_seq = 0, due_at = 'epoch' where
  account_id in (select account_id from dispatch_sites join statement_marks on id = dispatch_id where kind = 'dispatch')
  or account_id in (select account_id from sites join statement_marks using (id) where kind = 'site')
  or month >= (select min(id) from statement_marks where kind = 'terms');
-- From now on it follows the journal.
insert into followers (name, seen) values ('settlement', pg_current_snapshot());

create index on statements (due_at) where due_at is not null;
drop index statements_seq_idx;
alter table statements drop column drawn_early, drop column inputs_stamp;
drop trigger marks_statements on dispatches;
drop trigger marks_statements on performance_versions;
drop trigger marks_statements on program_terms;
drop trigger marks_statements on enrolments;
drop trigger marks_statements on rules_adoptions;
drop function mark_statements;
drop function mark_statements_of_rules;
drop table statement_marks;
