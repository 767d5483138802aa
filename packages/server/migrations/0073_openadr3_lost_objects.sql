-- breaks: no
-- OpenADR 3.1: who is told that an object is gone, and what the changes of one client take.
alter table openadr3_changes
  -- Of what is gone for some: who sees one of these targets has it still. null: it is told to everybody who may see it.
  add column kept_targets text[];
-- So that the oldest changes that a client wrote are found.
create index on openadr3_changes (written_by, seq) where written_by is not null;
