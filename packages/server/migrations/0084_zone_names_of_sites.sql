-- breaks: no
-- As those of programs.
create temporary table zone_names on commit drop as
  select distinct on (lower(name)) lower(name) as folded, name from pg_timezone_names where name !~ '^posix';

update sites set timezone = zone_names.name from zone_names
 where folded = lower(timezone) and zone_names.name <> timezone;
