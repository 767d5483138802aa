-- breaks: no
-- The release of a restored service drops what is about dispatches that are over, and evidence says so. Every row there is
-- fits: none has the new reason.
alter table deliveries
  drop constraint deliveries_drop_reason_check,
  add constraint deliveries_drop_reason_check
    check (drop_reason in ('webhook_deleted', 'account_disabled', 'outdated')) not valid;
alter table sandbox.deliveries
  drop constraint deliveries_drop_reason_check,
  add constraint deliveries_drop_reason_check
    check (drop_reason in ('webhook_deleted', 'account_disabled', 'outdated')) not valid;

-- Pushes that were due and were not sent.
create table ven_push_drops (
  ven text not null references vens,
  dispatch_id text not null,
  modification_number int not null,
  at timestamptz not null,
  reason text not null,
  primary key (dispatch_id, ven, modification_number)
);
create trigger is_append_only before update or delete or truncate on ven_push_drops
  for each statement execute function refuse_evidence_change();
