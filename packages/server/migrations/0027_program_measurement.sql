-- breaks: no
-- Whether days with operators' tests count as days with events; and days after the end of a dispatch until which
-- corrections change its result, null: for ever.
alter table programs
  add column tests_are_events boolean not null default true,
  add column corrections_days int check (corrections_days > 0);
alter table sandbox.programs
  add column tests_are_events boolean not null default true,
  add column corrections_days int check (corrections_days > 0);
