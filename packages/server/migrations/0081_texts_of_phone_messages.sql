-- breaks: no
-- What was told: the text as it was sent, and the state of the dispatch that it described.
alter table phone_messages add column text text;
