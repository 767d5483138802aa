-- breaks: no
-- What the changes that a client of OpenADR 3.1 wrote take, at least: removed ones are counted until room is made.
create table openadr3_change_sizes (
  client_id text primary key,
  bytes bigint not null
) with (fillfactor = 70);
