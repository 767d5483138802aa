-- breaks: no
-- Earlier versions of the participants' interface have numbers for ids. An entity has its number for ever, in production
-- and the sandbox: no row is changed or removed, also when the entity is.
create table dated_ids (
  number int generated always as identity primary key,
  kind text not null,
  id text not null,
  unique (id, kind)
);
-- What deliveries named. A view in each schema: connections of the sandbox see no others.
create view dispatch_numbers as select id, number from dated_ids where kind = 'dispatch';
create view sandbox.dispatch_numbers as select id, number from dated_ids where kind = 'dispatch';

-- The version that a webhook was registered under; its notifications name paths of that version.
alter table webhooks add column interface_version text not null default '2022-04-15';
alter table sandbox.webhooks add column interface_version text not null default '2022-04-15';
