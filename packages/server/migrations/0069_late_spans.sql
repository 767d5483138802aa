-- breaks: no
-- Late readings of a site, before it is known which dispatches they concern: one row for a site of an upload, however many
-- dispatches it has. A worker finds those afterwards.
create table late_spans (
  seq bigint generated always as identity primary key,
  site int not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- Of the first and the last upload that are in it.
  first_noted_at timestamptz not null,
  noted_at timestamptz not null,
  -- When the readings were stored; null: not yet.
  settled_at timestamptz
);
create index on late_spans (site);
create index on late_spans (settled_at);
