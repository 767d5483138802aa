-- breaks: no
-- OpenADR 3.1: which programs a VEN has an event in.
create index on openadr3_objects (ven_id, program_id) where object_type = 'EVENT' and ven_id is not null;
create index on openadr3_objects using gin (targets) where object_type = 'EVENT' and source is null;
