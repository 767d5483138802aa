-- breaks: no
-- What was committed since a snapshot is found by the transaction that wrote it. All that there is was committed before.
alter table openadr3_changes add column xid xid8 not null default '3';
alter table openadr3_changes alter column xid set default pg_current_xact_id();
create index on openadr3_changes (xid);
