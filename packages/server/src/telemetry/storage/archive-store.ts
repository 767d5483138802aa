import type { HourRow, MeterKey } from "@curtail/measure";
import type pg from "pg";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import type { Row } from "../../platform/database/columns.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { oneShard, queryShard, rowsOfShards } from "../../platform/database/shard-statement.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { ArchiveFolder } from "../../platform/files/archive-folder.js";
import type { Hours } from "../domain/hours.js";
import { formatMonth, hoursOfMonth, monthOfHour } from "../domain/retention.js";
import type { Archived, ArchiveStore, SiteMonth } from "../operations/archive-telemetry.js";
import { chargeHours } from "./charge-reader.js";
import { isLoggedIn } from "./log-append.js";
import { dayOfHour } from "./packed-day.js";
import { type MeterHours, ReadingsParquet } from "./readings-parquet.js";
import { storedHours } from "./stored-hours.js";

const SITES_AT_ONCE = 500;
/** PostgreSQL's code for a row that another transaction changed since this one began. */
const CHANGED_MEANWHILE = "40001";

interface OldestRow extends MeterKey {
  readonly hour: number;
}

const OLDEST_HOURS = oneShard(
  "oldest-hours",
  ({ within }) => `
    select asked.site, asked.meter, min(oldest.hour) as hour
    from unnest($1::int[], $2::int[]) as asked (site, meter)
    cross join lateral (
      (select hour from telemetry_hours as stored
       where stored.site = asked.site and stored.meter = asked.meter${within("stored.site")} order by hour limit 1)
      union all
      (select day * 24 from telemetry_days as packed
       where packed.site = asked.site and packed.meter = asked.meter${within("packed.site")} order by day limit 1)
      union all
      (select hour from charge_hours as charge
       where charge.site = asked.site and charge.meter = asked.meter${within("charge.site")} order by hour limit 1)
    ) as oldest
    group by asked.site, asked.meter`,
);

export const archiveStore = (pool: pg.Pool, folder: ArchiveFolder, now: () => Date): ArchiveStore => ({
  async oldMonths(after, before) {
    const { rows: sites } = await pool.query<{ readonly site: number; readonly meters: readonly number[] | null }>({
      name: "next-sites",
      text: `select key as site, (select json_agg(meters.key) from meters where site_id = sites.id) as meters
             from sites where key > $1 order by key limit $2`,
      values: [after, SITES_AT_ONCE],
    });
    const meters = sites.flatMap(({ site, meters: ofSite }) => (ofSite ?? []).map((meter) => ({ site, meter })));
    const rows = await rowsOfShards<OldestRow, MeterKey>(pool, OLDEST_HOURS, meters, (keys) =>
      valuesOf(keys, "site", "meter"),
    );
    const oldest = new Map<number, number>();
    for (const { site, hour } of rows) oldest.set(site, Math.min(hour, oldest.get(site) ?? hour));
    const months = sites.flatMap(({ site }) => {
      const hour = oldest.get(site) ?? before;
      return hour >= before ? [] : [{ site, month: monthOfHour(hour) }];
    });
    return { months, last: sites.at(-1)?.site ?? null };
  },
  async archive(month) {
    try {
      return await inTransaction(pool, (client) => archiveIn(client, { month, folder, at: now() }));
    } catch (error) {
      if ((error as pg.DatabaseError).code === CHANGED_MEANWHILE) return null;
      throw error;
    }
  },
});

interface Task {
  readonly month: SiteMonth;
  readonly folder: ArchiveFolder;
  readonly at: Date;
}

/** Sees the same rows throughout: what is uploaded meanwhile is not deleted, and goes to another file. */
const archiveIn = async (db: Queryable, { month, folder, at }: Task): Promise<Archived | null> => {
  await db.query("set transaction isolation level repeatable read");
  if (!(await takeTurn(db, "packing"))) return null;
  // Some of them are folded later.
  if (await isLoggedIn(db, hoursOfMonth(month.month))) return null;
  const { siteId, meters } = await metersOf(db, month.site);
  const done = { readings: 0, bytes: 0 };
  for (const kind of [powers, charges]) {
    const content = new ReadingsParquet(kind.unit);
    const hours = content.bytes(hoursOf(db, meters, month, kind));
    const file = await folder.write(kind.folder + formatMonth(month.month), siteId, hours);
    const readings = content.count;
    if (readings === 0) {
      await file.discard();
      continue;
    }
    await kind.deleteMonth(db, meters, month);
    await record(db, { ...month, file: await file.keep(), readings, bytes: file.bytes, sha256: file.sha256 }, at);
    done.readings += readings;
    done.bytes += file.bytes;
  }
  return done;
};

interface Kind {
  readonly unit: "kw" | "kwh";
  /** Files of one kind have the same columns, so that all of a folder are read together. */
  readonly folder: string;
  readonly hours: (db: Queryable, key: MeterKey, month: Hours) => Promise<readonly HourRow[]>;
  readonly deleteMonth: (db: Queryable, meters: readonly MeterOfSite[], month: SiteMonth) => Promise<void>;
}

interface MeterOfSite extends Row<"meters", "id" | "name"> {
  readonly key: MeterKey;
}

const metersOf = async (
  db: Queryable,
  site: number,
): Promise<{ readonly siteId: string; readonly meters: readonly MeterOfSite[] }> => {
  const { rows } = await db.query<Row<"meters", "id" | "name" | "key" | "site_id">>(
    `select meters.id, meters.name, meters.key, site_id from meters join sites on sites.id = site_id
     where sites.key = $1 order by meters.seq`,
    [site],
  );
  const meters = rows.map(({ id, name, key }) => ({ id, name, key: { site, meter: key } }));
  return { siteId: rows[0]?.site_id ?? "", meters };
};

async function* hoursOf(
  db: Queryable,
  meters: readonly MeterOfSite[],
  { month }: SiteMonth,
  kind: Kind,
): AsyncGenerator<MeterHours> {
  for (const { id, name, key } of meters) yield { id, name, hours: await kind.hours(db, key, hoursOfMonth(month)) };
}

/** Of one site, and so of one shard. */
const monthOf = (table: string, column: "hour" | "day"): string => `
  delete from ${table} as stored
  where stored.site = $1 and stored.meter = any($2::int[]) and stored.${column} between $3 and $4`;
const DELETE_HOURS = oneShard("delete-archived-hours", () => monthOf("telemetry_hours", "hour"));
const DELETE_DAYS = oneShard("delete-archived-days", () => monthOf("telemetry_days", "day"));
const DELETE_CHARGES = oneShard("delete-archived-charges", () => monthOf("charge_hours", "hour"));

const deleteMonth = async (db: Queryable, meters: readonly MeterOfSite[], { site, month }: SiteMonth) => {
  const { from, to } = hoursOfMonth(month);
  const keys = meters.map(({ key }) => key.meter);
  await queryShard(db, DELETE_HOURS, null, [site, keys, from, to]);
  await queryShard(db, DELETE_DAYS, null, [site, keys, dayOfHour(from), dayOfHour(to)]);
};

const deleteCharges = async (db: Queryable, meters: readonly MeterOfSite[], { site, month }: SiteMonth) => {
  const { from, to } = hoursOfMonth(month);
  const keys = meters.map(({ key }) => key.meter);
  await queryShard(db, DELETE_CHARGES, null, [site, keys, from, to]);
};

const powers: Kind = {
  unit: "kw",
  folder: "",
  hours: (db, key, month) => storedHours(db, { meters: [key], periods: [month] }),
  deleteMonth,
};
const charges: Kind = {
  unit: "kwh",
  folder: "charge/",
  hours: (db, key, month) => chargeHours(db, [key], month),
  deleteMonth: deleteCharges,
};

const record = (
  db: Queryable,
  { site, month, file, readings, bytes, sha256 }: SiteMonth & Archived & { file: string; sha256: string },
  at: Date,
) =>
  db.query({
    name: "record-archive",
    text: `insert into telemetry_archives (site, month, file, readings, bytes, sha256, archived_at)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [site, month, file, readings, bytes, sha256, at],
  });
