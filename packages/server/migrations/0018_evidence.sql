-- breaks: no
-- Evidence rests on rows that are only added, and on columns that keep what counted when something happened.

-- Each VEN that a notice went out to, as it was then.
create table ven_notices (
  dispatch_id text not null,
  ven text not null references vens,
  modification_number int not null,
  -- From when on it could see that state of the dispatch.
  at timestamptz not null,
  ven_id text not null,
  -- Those of its sites that were dispatched; null: all of its account's.
  site_ids text[],
  poll_interval_seconds int not null,
  -- By when it had to poll.
  poll_by timestamptz not null,
  primary key (dispatch_id, ven, modification_number)
);

alter table notices
  -- When it was recorded who it went out to; null: not yet.
  add column noted_at timestamptz,
  -- Accounts of the dispatch that were disabled then: they could see nothing.
  add column disabled_accounts text[] not null default '{}';
alter table sandbox.notices
  add column noted_at timestamptz,
  add column disabled_accounts text[] not null default '{}';

-- Of notices that went out already, by the VENs as they are now: nothing older is known.
insert into ven_notices (dispatch_id, ven, modification_number, at, ven_id, site_ids, poll_interval_seconds, poll_by)
select notices.dispatch_id, vens.id, shown.modification_number, shown.at, ven_id, heard.site_ids,
  poll_interval_seconds, shown.at + 3 * poll_interval_seconds * interval '1 second'
from notices cross join lateral (
  select revision.modification_number, greatest(due_at, at) as at from dispatch_revisions as revision
  where revision.dispatch_id = notices.dispatch_id
    and (at < due_at or revision.modification_number = notices.modification_number)
  order by revision.modification_number desc limit 1
) as shown
join vens on account_id in (select account_id from dispatch_sites where dispatch_id = notices.dispatch_id)
cross join lateral (
  select case when vens.site_ids is not null then array(
    select site_id from unnest(vens.site_ids) as own (site_id) join dispatch_sites using (site_id)
    where dispatch_sites.dispatch_id = notices.dispatch_id order by position) end as site_ids
) as heard
where state = 'sent' and environment = 'production' and vens.created_at <= shown.at
  and (deleted_at is null or deleted_at > shown.at)
  and (heard.site_ids is null or heard.site_ids <> '{}')
on conflict do nothing;
update notices set noted_at = due_at where state = 'sent';
create index on notices (due_at) where noted_at is null and state <> 'dropped';

-- By when what was shown was to be acknowledged. The default is for processes of the version before.
alter table ven_showings add column acknowledge_by timestamptz not null default now() + interval '2 minutes';
update ven_showings set acknowledge_by = at + interval '2 minutes';

-- `description` stays the first that was given with an error; alarms show the latest.
alter table ven_errors add column latest_description text;
update ven_errors set latest_description = description;

-- Whether it was the last attempt of the schedule of that time. Null, as in rows of versions before: where it was the fifth.
alter table delivery_attempts add column gave_up boolean;
alter table sandbox.delivery_attempts add column gave_up boolean;
alter table ven_push_attempts add column gave_up boolean;

-- When and why nothing more was sent.
alter table deliveries
  add column dropped_at timestamptz,
  add column drop_reason text check (drop_reason in ('webhook_deleted', 'account_disabled'));
alter table sandbox.deliveries
  add column dropped_at timestamptz,
  add column drop_reason text check (drop_reason in ('webhook_deleted', 'account_disabled'));
update deliveries set dropped_at = webhooks.deleted_at, drop_reason = 'webhook_deleted'
from webhooks where webhooks.id = webhook_id and state = 'dropped' and webhooks.deleted_at is not null;
update deliveries set dropped_at = disabled_at, drop_reason = 'account_disabled'
from (
  select deliveries.id, min(audit_log.at) as disabled_at
  from deliveries join webhooks on webhooks.id = webhook_id join audit_log on audit_log.account_id = webhooks.account_id
  where state = 'dropped' and action = 'account.change' and (after ->> 'disabled')::boolean and at >= deliveries.created_at
  group by deliveries.id
) as disabled
where deliveries.id = disabled.id and (dropped_at is null or disabled_at < dropped_at);

-- A mail's recipients as it was handed over: [{"name", "email", "accepted"}]; null in mails of versions before.
alter table mails add column recipients jsonb;
alter table sandbox.mails add column recipients jsonb;

create function refuse_evidence_change() returns trigger language plpgsql as $$
begin
  raise exception 'evidence rests on %: % is refused', tg_table_name, tg_op;
end
$$;

-- What is only ever added to.
create trigger is_append_only before update or delete or truncate on ven_notices
  for each statement execute function refuse_evidence_change();
create trigger is_append_only before update or delete or truncate on dispatch_reads
  for each statement execute function refuse_evidence_change();
create trigger is_append_only before update or delete or truncate on delivery_attempts
  for each statement execute function refuse_evidence_change();
create trigger is_append_only before update or delete or truncate on ven_showings
  for each statement execute function refuse_evidence_change();
create trigger is_append_only before update or delete or truncate on ven_acknowledgements
  for each statement execute function refuse_evidence_change();
create trigger is_append_only before update or delete or truncate on ven_omissions
  for each statement execute function refuse_evidence_change();
create trigger is_append_only before update or delete or truncate on ven_push_attempts
  for each statement execute function refuse_evidence_change();

-- What is never changed of what else goes on changing, and never deleted.
create trigger keeps_evidence before update of id, account_id, url or delete or truncate on webhooks
  for each statement execute function refuse_evidence_change();
create trigger keeps_evidence before update of id, account_id, ven_id, environment or delete or truncate on vens
  for each statement execute function refuse_evidence_change();
