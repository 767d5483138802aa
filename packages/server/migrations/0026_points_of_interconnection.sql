-- breaks: no
create index on meters (site_id) where asset_type = 'poi';
