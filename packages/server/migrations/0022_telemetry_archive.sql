-- breaks: no
-- Months of sites whose readings were written to a file and then deleted.
create table telemetry_archives (
  seq bigint generated always as identity primary key,
  -- Numbers of sites as in telemetry_hours.
  site int not null,
  -- UTC months, counted from January of year 0.
  month int not null,
  -- Below the directory of the archive.
  file text not null,
  readings bigint not null check (readings > 0),
  bytes bigint not null,
  sha256 text not null,
  archived_at timestamptz not null,
  unique (site, month, file)
);

-- Versions before this one would measure old dispatches again without the readings that are gone: from the first
-- archive on, they refuse to start.
create function break_versions_before_archives() returns trigger
  language plpgsql security definer set search_path from current as $$
begin
  update schema_migrations set breaking = true where version = 22 and not breaking;
  return null;
end
$$;
create trigger breaks_versions_before after insert on telemetry_archives
  for each statement execute function break_versions_before_archives();
