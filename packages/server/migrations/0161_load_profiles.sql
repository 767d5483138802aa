-- breaks: no
-- The load of sites by local day, of which baselines are computed. It is derived from telemetry: any row may be deleted.
create table load_profiles (
  -- The site's key, as in telemetry.
  site int not null,
  -- Local days since 1970.
  day int not null,
  -- What it was made for: a hash of the time zone, the interval and the meters.
  made_for bigint not null,
  -- How the day is cut into intervals, by the rules that the time zone had when it was made.
  cut int not null,
  -- Mean kW of each interval (performance/storage/load-profile-encoding.ts); empty: a day without a reading.
  kw bytea not null,
  primary key (site, day, made_for)
);
-- In its row: it is read with many others, and does not shrink.
alter table load_profiles alter column kw set storage plain;

-- Readers and makers of profiles ask for the notes of sites.
create index on late_notes (site);

-- Profiles of noted days are not used, and go with the note. A process of an earlier version knows nothing of them and deletes
-- notes as well. A local day begins up to 15 hours before or after that of UTC.
create function forget_noted_profiles() returns trigger language plpgsql set search_path from current as $$
declare
  gone_sites int[];
  first_days int[];
  last_days int[];
begin
  select array_agg(site), array_agg(floor(extract(epoch from from_at) / 86400)::int - 1),
    array_agg(floor(extract(epoch from to_at) / 86400)::int + 1)
  into gone_sites, first_days, last_days
  from gone where reason = 'corrected';
  delete from load_profiles using unnest(gone_sites, first_days, last_days) as noted (site, first_day, last_day)
  where load_profiles.site = noted.site and day between first_day and last_day;
  return null;
end
$$;
create trigger forget_noted_profiles after delete on late_notes
  referencing old table as gone for each statement execute function forget_noted_profiles();
