-- breaks: no
-- The text as it was sent, and the state of the dispatch that it described.
alter table personal_notices
  add column text text,
  add column carried_modification int;
