-- breaks: no
-- Objects of OpenADR 3.1 follow programs. One table a migration: requests that use two lock them in another order.

create trigger makes_stale after insert or delete or update of name, program_type on programs
  for each row execute function mark_openadr3_stale('program', 'id');
