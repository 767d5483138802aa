-- breaks: no
-- What kWh of a meter mean (G59). A battery that has sent readings before may have sent either: an operator decides.
alter table meters add column kwh_means text not null default 'energy'
  check (kwh_means in ('energy', 'charge', 'undecided'));
update meters set kwh_means = case when
    exists (select from telemetry_hours where telemetry_hours.site = sites.key and telemetry_hours.meter = meters.key)
    or exists (select from telemetry_days where telemetry_days.site = sites.key and telemetry_days.meter = meters.key)
    or exists (select from telemetry_archives where telemetry_archives.site = sites.key)
  then 'undecided' else 'charge' end
from sites where sites.id = site_id and asset_type = 'battery';
create index on meters (site_id) where kwh_means = 'undecided';
-- Counts changes of what kWh of an account's meters mean: processes remember it by this number.
alter table accounts add column kwh_stamp int not null default 0;

-- States of charge on the grid of telemetry_hours, which they are kept apart from.
create table charge_hours (
  site int not null,
  meter int not null,
  hour int not null,
  kwh float8[] not null check (array_lower(kwh, 1) >= 1 and array_upper(kwh, 1) <= 120),
  primary key (site, meter, hour)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
alter table charge_hours alter column kwh set storage plain;
alter table charge_hours alter column kwh set statistics 0;
