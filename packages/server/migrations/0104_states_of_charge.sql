-- breaks: no
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
