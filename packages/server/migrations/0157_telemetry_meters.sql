-- breaks: no
-- The meters of each site once more: on a distributed database these rows are in the shard of their readings, so that each shard finds
-- the newest reading of each of its meters. They may outlive a meter: what reads them joins `meters`.
create table telemetry_meters (
  site int not null,
  meter int not null,
  primary key (site, meter)
);

-- Whichever version adds a meter. Two statements, as a distributed database reads no rows of a trigger while it writes to shards.
create function note_telemetry_meters() returns trigger language plpgsql set search_path from current as $$
declare
  sites_added int[];
  meters_added int[];
begin
  select array_agg(sites.key), array_agg(added.key) into sites_added, meters_added
  from added join sites on sites.id = added.site_id;
  insert into telemetry_meters (site, meter) select * from unnest(sites_added, meters_added) on conflict do nothing;
  return null;
end
$$;
create trigger notes_telemetry_meters after insert on meters referencing new table as added
  for each statement execute function note_telemetry_meters();

insert into telemetry_meters (site, meter)
select sites.key, meters.key from meters join sites on sites.id = site_id order by 1, 2;
