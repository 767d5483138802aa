-- breaks: no
-- From when to when the dispatches of a statement reach, and those that overlap them; null: no others matter.
alter table statements
  add column reach_from timestamptz,
  add column reach_to timestamptz;
