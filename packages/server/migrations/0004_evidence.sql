-- When an account first read each modification of a dispatch, and how. No foreign keys: recording a read must not wait
-- for a change of the dispatch that holds its row.
create table dispatch_reads (
  dispatch_id text not null,
  account_id text not null,
  modification_number int not null,
  how text not null check (how in ('polled', 'fetched')),
  at timestamptz not null,
  primary key (dispatch_id, account_id, modification_number, how)
);

-- When it was clear that a mail would not be sent, and how many of its recipients the mail server refused.
alter table mails add column given_up_at timestamptz, add column refused_recipients int not null default 0;
update mails set given_up_at = created_at where state in ('no_contacts', 'kept', 'expired');
alter table mails add check ((given_up_at is not null) = (state in ('no_contacts', 'kept', 'expired')));
create index on mails (dispatch_id);
