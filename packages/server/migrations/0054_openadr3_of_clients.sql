-- breaks: no
-- Objects of OpenADR 3.1 follow clients.

create trigger makes_stale after insert or delete or update of name, site_ids, revoked_at on openadr3_clients
  for each row execute function mark_openadr3_stale('account', 'account_id');
