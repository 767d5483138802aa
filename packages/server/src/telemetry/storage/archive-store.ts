import type { HourRow, MeterKey } from "@curtail/measure";
import type pg from "pg";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import type { Row } from "../../platform/database/columns.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import type { ArchiveFolder } from "../../platform/files/archive-folder.js";
import type { Hours } from "../domain/hours.js";
import { formatMonth, hoursOfMonth, monthOfHour } from "../domain/retention.js";
import type { Archived, ArchiveStore, SiteMonth } from "../operations/archive-telemetry.js";
import { chargeHours } from "./charge-reader.js";
import { dayOfHour } from "./packed-day.js";
import { type MeterHours, ReadingsParquet } from "./readings-parquet.js";
import { storedHours } from "./stored-hours.js";

const SITES_AT_ONCE = 500;
/** PostgreSQL's code for a row that another transaction changed since this one began. */
const CHANGED_MEANWHILE = "40001";

export const archiveStore = (pool: pg.Pool, folder: ArchiveFolder, now: () => Date): ArchiveStore => ({
  async oldMonths(after, before) {
    const { rows } = await pool.query<{ readonly site: number; readonly hour: number | null }>({
      name: "oldest-hours",
      text: `select asked.key as site, min(oldest.hour) as hour
             from (select key, id from sites where key > $1 order by key limit $2) as asked
             left join meters on meters.site_id = asked.id
             left join lateral (
               (select hour from telemetry_hours as stored
                where stored.site = asked.key and stored.meter = meters.key order by hour limit 1)
               union all
               (select day * 24 from telemetry_days as packed
                where packed.site = asked.key and packed.meter = meters.key order by day limit 1)
               union all
               (select hour from charge_hours as charge
                where charge.site = asked.key and charge.meter = meters.key order by hour limit 1)
             ) as oldest on true
             group by asked.key order by asked.key`,
      values: [after, SITES_AT_ONCE],
    });
    const months = rows.flatMap(({ site, hour }) =>
      hour === null || hour >= before ? [] : [{ site, month: monthOfHour(hour) }],
    );
    return { months, last: rows.at(-1)?.site ?? null };
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

const deleteMonth = async (db: Queryable, meters: readonly MeterOfSite[], { month }: SiteMonth): Promise<void> => {
  const { from, to } = hoursOfMonth(month);
  const keys = [meters.map(({ key }) => key.site), meters.map(({ key }) => key.meter)];
  await db.query(
    `delete from telemetry_hours using unnest($1::int[], $2::int[]) as archived (site, meter)
     where telemetry_hours.site = archived.site and telemetry_hours.meter = archived.meter and hour between $3 and $4`,
    [...keys, from, to],
  );
  await db.query(
    `delete from telemetry_days using unnest($1::int[], $2::int[]) as archived (site, meter)
     where telemetry_days.site = archived.site and telemetry_days.meter = archived.meter and day between $3 and $4`,
    [...keys, dayOfHour(from), dayOfHour(to)],
  );
};

const deleteCharges = async (db: Queryable, meters: readonly MeterOfSite[], { month }: SiteMonth): Promise<void> => {
  const { from, to } = hoursOfMonth(month);
  await db.query(
    `delete from charge_hours using unnest($1::int[], $2::int[]) as archived (site, meter)
     where charge_hours.site = archived.site and charge_hours.meter = archived.meter and hour between $3 and $4`,
    [meters.map(({ key }) => key.site), meters.map(({ key }) => key.meter), from, to],
  );
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
