-- breaks: no
-- OpenADR 3.1: what a subscriber is told of the targets of an object.

alter table openadr3_deliveries
  -- The targets that the subscriber may see of the object; null: all.
  add column targets text[];
