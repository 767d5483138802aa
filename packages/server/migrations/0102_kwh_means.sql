-- breaks: no
-- What kWh of a meter mean (G59). A battery that has sent readings before may have sent either: an operator decides.
alter table meters add column kwh_means text not null default 'energy'
  check (kwh_means in ('energy', 'charge', 'undecided'));
alter table sandbox.meters add column kwh_means text not null default 'energy'
  check (kwh_means in ('energy', 'charge', 'undecided'));
update meters set kwh_means = case when
    exists (select from telemetry_hours where telemetry_hours.site = sites.key and telemetry_hours.meter = meters.key)
    or exists (select from telemetry_days where telemetry_days.site = sites.key and telemetry_days.meter = meters.key)
    or exists (select from telemetry_archives where telemetry_archives.site = sites.key)
  then 'undecided' else 'charge' end
from sites where sites.id = site_id and asset_type = 'battery';
create index on meters (site_id) where kwh_means = 'undecided';
