-- breaks: no
-- Who called, by the name of then.
alter table phone_calls add column actor_name text;
