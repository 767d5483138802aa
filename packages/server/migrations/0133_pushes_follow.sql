-- breaks: yes, because processes of earlier versions compare what each VEN got, and forget what a follower wrote meanwhile
-- Pushes of OpenADR 2.0a follow the journal: a row is written when a dispatch is notified, or a VEN is to get what was.
insert into followers (name, seen, kinds, behind_after_seconds) values ('ven-pushes', pg_current_snapshot(), '{}', 15);

create index on ven_pushes (next_attempt_at) where next_attempt_at is not null;
create index on ven_pushes (ven) where leased_until is not null;
-- It said whether any VEN has an address, once a second.
drop index vens_to_push;

-- What is open. Of what is over the claim forgets it; a release after a restore drops what was not over when its backup was made.
insert into ven_pushes as pushes (ven, dispatch_id, modification_number, failures, next_attempt_at)
select vens.id, dispatches.id, dispatches.modification_number, 0, now()
from vens join accounts on accounts.id = account_id and not disabled
join dispatches on not is_record and notification_time <= now() and (end_time is null or greatest(end_time, changed_at)
  >= coalesce((select value::json ->> 'backupAt' from settings where name = 'delivery_hold')::timestamptz, now()) - interval '30 minutes')
where push_url is not null and deleted_at is null and environment = 'production'
  and (authorized or exists (select from ven_events where ven_events.ven = vens.id and ven_events.dispatch_id = dispatches.id))
  and exists (select from dispatch_sites where dispatch_sites.dispatch_id = dispatches.id
    and dispatch_sites.account_id = vens.account_id and (site_ids is null or site_id = any(site_ids)))
on conflict (ven, dispatch_id) do update
set modification_number = excluded.modification_number, failures = 0, next_attempt_at = excluded.next_attempt_at
where pushes.modification_number < excluded.modification_number;
