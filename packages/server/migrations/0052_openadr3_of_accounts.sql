-- breaks: no
-- Objects of OpenADR 3.1 follow accounts that are disabled.

create trigger makes_stale after update of disabled on accounts
  for each row execute function mark_openadr3_stale('account', 'id');
