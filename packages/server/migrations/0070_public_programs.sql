-- breaks: no
-- Whether VENs of OpenADR 3 whose account has nothing in a program see it.
alter table programs add column is_public boolean not null default false;
alter table sandbox.programs add column is_public boolean not null default false;
drop trigger makes_stale on programs;
create trigger makes_stale after insert or delete or update of name, program_type, is_public on programs
  for each row execute function mark_openadr3_stale('program', 'id');
