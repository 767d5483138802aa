-- breaks: no
-- Who of an account read each modification of a dispatch on its page, the first time. No foreign keys, as for
-- dispatch_reads. `user_name` is as it was then, as evidence needs it.
create table dispatch_page_reads (
  dispatch_id text not null,
  account_id text not null,
  modification_number int not null,
  user_id text not null,
  user_name text not null,
  at timestamptz not null,
  primary key (dispatch_id, account_id, modification_number, user_id)
);
create trigger is_append_only before update or delete or truncate on dispatch_page_reads
  for each statement execute function refuse_evidence_change();
