-- breaks: no
-- Deliveries of webhooks that do not answer are created last, so that the others have theirs at once. `expanded_to` is for
-- versions before; a notice that one of them began is finished by what it lacks.
alter table notices
  -- Batches of deliveries created so far.
  add column slices int not null default 0,
  -- Whether only those of webhooks that hang are left.
  add column behind boolean not null default false;
alter table sandbox.notices
  add column slices int not null default 0,
  add column behind boolean not null default false;
