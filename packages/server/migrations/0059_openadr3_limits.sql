-- breaks: no
-- OpenADR 3.1: what one client may have stored, and how long.

-- What the reports of a client take, at least: deleted ones are counted until old ones are dropped.
create table openadr3_report_sizes (
  client_id text primary key,
  bytes bigint not null
) with (fillfactor = 70);
insert into openadr3_report_sizes (client_id, bytes)
select client_id, sum(octet_length(body::text)) from openadr3_objects
where object_type = 'REPORT' and client_id is not null group by client_id;

-- What is kept no longer.
create index on openadr3_objects (transpires_at) where object_type = 'EVENT' and transpires_at is not null;
create index on openadr3_objects (modified_at) where object_type = 'REPORT';

-- The standing requests for telemetry have no endless period from now on.
insert into openadr3_stale (kind, id)
select distinct 'account', account_id from openadr3_clients where role = 'ven' and revoked_at is null;
