-- breaks: no
-- Degrees (WGS 84), for the map.
alter table sites
  add column latitude double precision,
  add column longitude double precision,
  add constraint sites_coordinates check (
    (latitude is null) = (longitude is null) and latitude between -90 and 90 and longitude between -180 and 180
  );
alter table sandbox.sites
  add column latitude double precision,
  add column longitude double precision,
  add constraint sites_coordinates check (
    (latitude is null) = (longitude is null) and latitude between -90 and 90 and longitude between -180 and 180
  );
