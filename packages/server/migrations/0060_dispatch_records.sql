-- breaks: no
-- A dispatch whose end lay before its creation: it is measured, and nobody is notified of it. Dispatches from before were
-- notified, whenever they ended.
alter table dispatches
  add column is_record boolean not null default false,
  -- Texts of the operator, by name, that participants see.
  add column metadata jsonb not null default '{}',
  -- A participant's own test, which may name any program of its sites. Those of the built-in program are, too, whatever
  -- this says: the previous version does not set it.
  add column self_made boolean not null default false;
alter table sandbox.dispatches
  add column is_record boolean not null default false,
  add column metadata jsonb not null default '{}',
  add column self_made boolean not null default false;
