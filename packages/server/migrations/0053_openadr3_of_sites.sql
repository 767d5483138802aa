-- breaks: no
-- Objects of OpenADR 3.1 follow sites.

create trigger makes_stale after insert or delete or update of account_id, name, customer_location_id on sites
  for each row execute function mark_openadr3_stale('account', 'account_id');
