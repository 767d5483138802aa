-- breaks: no
-- As the production table; scenarios notify neither contacts by phone nor people.
alter table sandbox.notices
  add column phoned boolean not null default true,
  add column people_noted boolean not null default true;
