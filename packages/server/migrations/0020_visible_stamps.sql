-- breaks: no
-- What participants and VENs can see, in parts. Every transaction that changes a part gives it a new stamp, so what was
-- read under a stamp holds as long as the stamp stays. Stamps are random, not counted: after a failover or a restored
-- backup, no old stamp names a new state.
create table visible_stamps (
  part text primary key check (part in ('access', 'dispatches', 'ven_events')),
  stamp uuid not null default gen_random_uuid()
) with (fillfactor = 20);
insert into visible_stamps (part) values ('access'), ('dispatches'), ('ven_events');

-- Deferred to the commit, and once per transaction: the row is locked only while the transaction commits, and nothing
-- is locked after it.
create function stamp_visible() returns trigger language plpgsql set search_path from current as $$
declare
  stamped constant text := 'curtail.stamped_' || tg_argv[0];
begin
  if coalesce(current_setting(stamped, true), '') = '' then
    perform set_config(stamped, 'yes', true);
    update visible_stamps set stamp = gen_random_uuid() where part = tg_argv[0];
  end if;
  return null;
end
$$;

-- Keys, certificates and who they belong to. When they were last used is no change.
create constraint trigger is_visible after update of disabled or delete on accounts
  deferrable initially deferred for each row execute function stamp_visible('access');
create constraint trigger is_visible
  after update of account_id, environment, secret_hash, claimed_at, expires_at, revoked_at or delete on api_keys
  deferrable initially deferred for each row execute function stamp_visible('access');
create constraint trigger is_visible
  after update of account_id, ven_id, environment, site_ids, push_url, push_ca, target_resource, target_ven_id,
    market_context, deleted_at or delete on vens
  deferrable initially deferred for each row execute function stamp_visible('access');
create constraint trigger is_visible after insert or update or delete on ven_certificates
  deferrable initially deferred for each row execute function stamp_visible('access');

create constraint trigger is_visible after insert or update or delete on dispatches
  deferrable initially deferred for each row execute function stamp_visible('dispatches');
create constraint trigger is_visible after update of openadr on programs
  deferrable initially deferred for each row execute function stamp_visible('dispatches');

create constraint trigger is_visible after insert or update or delete on ven_events
  deferrable initially deferred for each row execute function stamp_visible('ven_events');
