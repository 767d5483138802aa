import type { HourRow } from "@curtail/measure";
import type pg from "pg";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import type { Row } from "../../platform/database/columns.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { CELLS_PER_DAY } from "../domain/day-slots.js";
import type { DayStore, MeterDay, Packed } from "../operations/pack-days.js";
import { encodeDay } from "./day-block.js";
import { dayOfHour, hourBits, layHour, type MeterDayCells, unpackedDay } from "./packed-day.js";
import { decodeCells } from "./telemetry-encoding.js";

interface MeterRow {
  readonly site: number;
  readonly meter: number;
  /** Null without hour rows. */
  readonly first_day: number | null;
  readonly newest_day: number | null;
}

const METERS_AT_ONCE = 1000;

export const dayStore = (pool: pg.Pool): DayStore => ({
  async closedDays({ after, before, fromDay }) {
    // The newest day of a meter is never packed, so that its last reading is found among hour rows alone.
    const { rows } = await pool.query<MeterRow>({
      name: "closed-days",
      text: `select sites.key as site, asked.key as meter, floor(oldest.hour / 24.0)::int as first_day,
               floor(newest.hour / 24.0)::int as newest_day
             from (select key, site_id from meters where key > $1 order by key limit $2) as asked
             join sites on sites.id = asked.site_id
             left join unnest($3::int[], $4::int[]) as looked (meter, from_day) on looked.meter = asked.key
             left join lateral (
               select hour from telemetry_hours
               where site = sites.key and meter = asked.key and hour >= coalesce(looked.from_day * 24, -2147483648)
               order by hour limit 1
             ) as oldest on true
             left join lateral (
               select hour from telemetry_hours where site = sites.key and meter = asked.key order by hour desc limit 1
             ) as newest on true
             order by asked.key`,
      values: [after, METERS_AT_ONCE, [...fromDay.keys()], [...fromDay.values()]],
    });
    const meters = rows.flatMap(({ site, meter, first_day: firstDay, newest_day: newestDay }) => {
      if (firstDay === null || newestDay === null) return [];
      const lastDay = Math.min(before, newestDay) - 1;
      return firstDay <= lastDay ? [{ site, meter, firstDay, lastDay }] : [];
    });
    return { meters, last: rows.at(-1)?.meter ?? null };
  },
  pack: (days) =>
    inTransaction(pool, async (client) => ((await takeTurn(client, "packing")) ? packInto(client, days) : null)),
});

/** Only hours that were read and locked are deleted: what is uploaded meanwhile waits, and is a new row. */
const packInto = async (db: Queryable, days: readonly MeterDay[]): Promise<Packed> => {
  const hours = await lockHours(db, days);
  if (hours.length === 0) return { days: 0, bytes: 0 };
  const packed = await packedDays(db, days);
  const touched = new Map<string, MeterDayCells>();
  for (const row of hours) {
    const key = keyOf(row.meter, dayOfHour(row.hour));
    const day = touched.get(key) ?? packed.get(key) ?? emptyDay(row);
    touched.set(key, day);
    layHour(day, row);
  }
  const blocks = [...touched.values()].map((day) => ({ ...day, hours: hourBits(day), block: encodeDay(day.cells) }));
  await writeBlocks(db, blocks);
  await deleteHours(db, hours);
  return { days: blocks.length, bytes: blocks.reduce((sum, { block }) => sum + block.length, 0) };
};

const keyOf = (meter: number, day: number): string => `${meter} ${day}`;

const emptyDay = ({ site, meter, hour }: HourRow): MeterDayCells => ({
  site,
  meter,
  day: dayOfHour(hour),
  cells: new Float64Array(CELLS_PER_DAY).fill(Number.NaN),
});

const columnsOf = (days: readonly MeterDay[]) => valuesOf(days, "site", "meter", "day");

const lockHours = async (db: Queryable, days: readonly MeterDay[]): Promise<HourRow[]> => {
  // Uploads lock rows in the same order.
  const { rows } = await db.query<Row<"telemetry_hours", "site" | "meter" | "hour"> & { readonly kw: string }>({
    name: "lock-hours-to-pack",
    text: `select stored.site, stored.meter, stored.hour, encode(array_send(stored.kw), 'base64') as kw
           from unnest($1::int[], $2::int[], $3::int[]) as asked (site, meter, day)
           join telemetry_hours as stored on stored.site = asked.site and stored.meter = asked.meter
             and stored.hour between asked.day * 24 and asked.day * 24 + 23
           order by stored.site, stored.meter, stored.hour for update of stored`,
    values: columnsOf(days),
  });
  return rows.map(({ site, meter, hour, kw }) => ({ site, meter, hour, cells: decodeCells(kw) }));
};

const packedDays = async (db: Queryable, days: readonly MeterDay[]): Promise<ReadonlyMap<string, MeterDayCells>> => {
  const { rows } = await db.query<Row<"telemetry_days", "site" | "meter" | "day"> & { readonly block: string }>({
    name: "packed-days",
    text: `select site, meter, day, encode(block, 'base64') as block
           from unnest($1::int[], $2::int[], $3::int[]) as asked (site, meter, day)
           join telemetry_days using (site, meter, day)`,
    values: columnsOf(days),
  });
  return new Map(
    rows.map(({ site, meter, day, block }) => [keyOf(meter, day), unpackedDay({ site, meter }, day, block)]),
  );
};

type Block = MeterDay & Row<"telemetry_days", "hours" | "block">;

const writeBlocks = (db: Queryable, blocks: readonly Block[]) =>
  db.query({
    name: "write-packed-days",
    text: `insert into telemetry_days (site, meter, day, hours, block)
           select * from unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::bytea[])
           on conflict (site, meter, day) do update set hours = excluded.hours, block = excluded.block`,
    values: [...columnsOf(blocks), ...valuesOf(blocks, "hours", "block")],
  });

const deleteHours = (db: Queryable, hours: readonly HourRow[]) =>
  db.query({
    name: "delete-packed-hours",
    text: `delete from telemetry_hours using unnest($1::int[], $2::int[], $3::int[]) as packed (site, meter, hour)
           where telemetry_hours.site = packed.site and telemetry_hours.meter = packed.meter
             and telemetry_hours.hour = packed.hour`,
    values: valuesOf(hours, "site", "meter", "hour"),
  });
