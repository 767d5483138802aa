-- breaks: no
-- Days of meters that are over, packed in `block` (telemetry/domain/day-cells.ts). Rows of the same hours in
-- telemetry_hours were uploaded later: their readings count instead, until they are packed, too.
create table telemetry_days (
  site int not null,
  meter int not null,
  -- UTC days since 1970.
  day int not null,
  -- The hours with a reading: bit 0 is the first of the day.
  hours int not null check (hours > 0),
  block bytea not null,
  primary key (site, meter, day)
);
-- It is deflated already.
alter table telemetry_days alter column block set storage external;

-- Versions before this one do not read packed days and would show holes: from the first one on, they refuse to start.
create function break_versions_before() returns trigger language plpgsql security definer set search_path from current as $$
begin
  update schema_migrations set breaking = true where version = 21 and not breaking;
  return null;
end
$$;
create trigger breaks_versions_before after insert on telemetry_days
  for each statement execute function break_versions_before();
