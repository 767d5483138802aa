import { cutOf, type LoadProfile } from "@curtail/measure";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll, readMap } from "../../platform/database/read.js";
import type { DaySpan, LoadProfiles, MissingDays, ProfileDays, ProfileSource } from "../operations/profile-ports.js";
import { decodeProfile, encodeProfile, madeFor } from "./load-profile-encoding.js";

/** Condition on a note and a day: the day may have readings of its period, wherever its time zone is. */
const hasDay = (day: string): string => `noted.reason = 'corrected' and ${day} between ${FIRST_DAY} and ${LAST_DAY}`;
const FIRST_DAY = "floor(extract(epoch from noted.from_at) / 86400)::int - 1";
const LAST_DAY = "floor(extract(epoch from noted.to_at) / 86400)::int + 1";

type FoundRow = Row<"load_profiles", "day" | "cut"> & { readonly nth: number; readonly kw: string };

/**
 * Profiles of days, in the order in which they are asked for. None is read that lacks a late reading: its note was stored before the
 * reading, is seen by the same statement, and goes together with the profile.
 */
export const loadProfiles = async (db: Queryable, ...asked: readonly ProfileDays[]): Promise<LoadProfiles[]> => {
  const { rows } = await db.query<FoundRow>({
    name: "load-profiles",
    text: `select nth::int, stored.day, stored.cut, encode(stored.kw, 'base64') as kw
           from unnest($1::int[], $2::bigint[], $3::int[], $4::int[]) with ordinality as asked (site, made_for, first, last, nth)
           cross join lateral (
             select day, cut, kw from load_profiles as profile
             where profile.site = asked.site and profile.made_for = asked.made_for and day between asked.first and asked.last
             offset 0
           ) as stored
           where not exists (select from late_notes as noted where noted.site = asked.site and ${hasDay("stored.day")})`,
    values: [
      asked.map(({ source }) => source.site),
      asked.map(({ source }) => madeFor(source)),
      asked.map(({ days }) => Math.min(...days)),
      asked.map(({ days }) => Math.max(...days)),
    ],
  });
  const found = asked.map(({ source, days }) => ({
    source,
    days: new Set(days),
    profiles: new Map<number, LoadProfile>(),
  }));
  for (const { nth, day, cut, kw } of rows) {
    const of = found[nth - 1];
    if (of?.days.has(day) && cut === cutOf(day, of.source)) of.profiles.set(day, decodeProfile(kw));
  }
  return found.map(({ profiles }) => profiles);
};

type KnownRow = Row<"load_profiles", "site" | "made_for"> & {
  readonly days: readonly number[];
  readonly cuts: readonly number[];
};

interface NotedRow {
  readonly site: number;
  readonly first: number;
  readonly last: number;
}

const keyOf = (site: number, hash: number): string => `${site} ${hash}`;

/** Which days of a span some sites have no profiles of. */
export const missingProfiles = async (db: Queryable, sites: readonly number[], span: DaySpan): Promise<MissingDays> => {
  const known = await readMap(
    db,
    ({ site, made_for, days, cuts }: KnownRow) => [
      keyOf(site, made_for),
      new Map(days.map((day, at) => [day, cuts[at]])),
    ],
    {
      name: "known-load-profiles",
      text: `select site, made_for, array_agg(day) as days, array_agg(cut) as cuts from load_profiles
             where site = any($1) and day between $2 and $3 group by site, made_for`,
      values: [sites, span.from, span.to],
    },
  );
  const notes = await readAll(db, (row: NotedRow) => row, {
    name: "noted-days",
    text: `select site, ${FIRST_DAY} as first, ${LAST_DAY} as last from late_notes as noted
           where site = any($1) and reason = 'corrected'`,
    values: [sites],
  });
  return (source, { from, to }) => {
    const cuts = known.get(keyOf(source.site, madeFor(source)));
    const ofSite = notes.filter(({ site }) => site === source.site);
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, nth) => from + nth).filter(
      (day) => cuts?.get(day) !== cutOf(day, source) && !ofSite.some(({ first, last }) => first <= day && day <= last),
    );
  };
};

export interface MadeProfile {
  readonly source: ProfileSource;
  readonly day: number;
  readonly profile: LoadProfile;
}

/** Stores profiles, except those of days that were noted before or while their readings were read; returns how many. */
export const saveProfiles = async (db: Queryable, made: readonly MadeProfile[]): Promise<number> => {
  const { rowCount } = await db.query({
    name: "save-load-profiles",
    text: `insert into load_profiles (site, day, made_for, cut, kw)
           select * from unnest($1::int[], $2::int[], $3::bigint[], $4::int[], $5::bytea[]) as made (site, day, made_for, cut, kw)
           where not exists (select from late_notes as noted where noted.site = made.site and ${hasDay("made.day")})
           on conflict (site, day, made_for) do update set cut = excluded.cut, kw = excluded.kw`,
    values: [
      made.map(({ source }) => source.site),
      made.map(({ day }) => day),
      made.map(({ source }) => madeFor(source)),
      made.map(({ source, day }) => cutOf(day, source)),
      made.map(({ profile }) => encodeProfile(profile)),
    ],
  });
  return rowCount ?? 0;
};

export const forgetProfiles = async (db: Queryable, sites: readonly number[], beforeDay: number): Promise<void> => {
  await db.query({
    name: "forget-load-profiles",
    text: "delete from load_profiles where site = any($1) and day < $2",
    values: [sites, beforeDay],
  });
};
