-- breaks: no
-- Reports of OpenADR 3.1 name the meters of a site that has several: its resource follows them.

create function mark_openadr3_of_meter() returns trigger language plpgsql set search_path from current as $$
declare
  before constant text := case when tg_op <> 'INSERT' then old.site_id end;
  after constant text := case when tg_op <> 'DELETE' then new.site_id end;
begin
  -- Few accounts have such VENs: meters of the others write nothing.
  insert into openadr3_stale (kind, id)
  select distinct 'account', account_id from sites
  where id in (before, after) and exists (select from openadr3_clients as clients
    where clients.account_id = sites.account_id and revoked_at is null);
  if found then
    notify openadr3_stale;
  end if;
  return null;
end
$$;
create trigger makes_stale after insert or delete or update of site_id, name on meters
  for each row execute function mark_openadr3_of_meter();

-- The meters that there are.
insert into openadr3_stale (kind, id)
select distinct 'account', account_id from openadr3_clients where account_id is not null and revoked_at is null;
