-- breaks: no
-- The measured meters of a site as they were when the dispatch was created; null: all.
alter table dispatch_sites add column measured_meters text[];
alter table sandbox.dispatch_sites add column measured_meters text[];
update dispatch_sites set measured_meters = points.meters
  from (select site_id, array_agg(id order by seq) as meters from meters where asset_type = 'poi' group by site_id) as points
  where dispatch_sites.site_id = points.site_id;
