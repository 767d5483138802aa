import type { HourRow, MeterKey } from "@curtail/measure";
import type pg from "pg";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import type { Row } from "../../platform/database/columns.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { insertedRows, insertRows } from "../../platform/database/inserted-rows.js";
import { oneShard, queryShard, rowsOfShards } from "../../platform/database/shard-statement.js";
import { groupsByShard, type ShardGroup } from "../../platform/database/shards.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { CELLS_PER_DAY } from "../domain/day-slots.js";
import type { ClosedDays, DayStore, MeterDay, Packed } from "../operations/pack-days.js";
import { encodeDay } from "./day-block.js";
import { dayOfHour, hourBits, layHour, type MeterDayCells, unpackedDay } from "./packed-day.js";
import { decodeCells } from "./telemetry-encoding.js";

const METERS_AT_ONCE = 1000;

/** Of a meter with hour rows. */
interface EndsRow extends MeterKey {
  readonly first_day: number;
  readonly newest_day: number;
}

interface Looked extends MeterKey {
  /** Days before it are not looked at. */
  readonly fromDay: number;
}

const FIRST_DAY = -89_478_485;

const ENDS_OF_HOURS = oneShard(
  "ends-of-hours",
  ({ within }) => `
    select site, meter, floor(oldest.hour / 24.0)::int as first_day, floor(newest.hour / 24.0)::int as newest_day
    from unnest($1::int[], $2::int[], $3::int[]) as asked (site, meter, from_day)
    cross join lateral (
      select hour from telemetry_hours as stored
      where stored.site = asked.site and stored.meter = asked.meter and hour >= from_day * 24${within("stored.site")}
      order by hour limit 1
    ) as oldest
    cross join lateral (
      select hour from telemetry_hours as stored
      where stored.site = asked.site and stored.meter = asked.meter${within("stored.site")} order by hour desc limit 1
    ) as newest`,
);

export const dayStore = (pool: pg.Pool): DayStore => ({
  async closedDays({ after, before, fromDay }) {
    const { rows: meters } = await pool.query<MeterKey>({
      name: "next-meters",
      text: `select sites.key as site, asked.key as meter
             from (select key, site_id from meters where key > $1 order by key limit $2) as asked
             join sites on sites.id = asked.site_id order by asked.key`,
      values: [after, METERS_AT_ONCE],
    });
    const looked = meters.map((key): Looked => ({ ...key, fromDay: fromDay.get(key.meter) ?? FIRST_DAY }));
    const rows = await rowsOfShards<EndsRow, Looked>(pool, ENDS_OF_HOURS, looked, (asked) =>
      valuesOf(asked, "site", "meter", "fromDay"),
    );
    return { meters: rows.flatMap((ends) => closedDays(ends, before)), last: meters.at(-1)?.meter ?? null };
  },
  async pack(days) {
    const all: Packed[] = [];
    for (const group of await groupsByShard(pool, days)) {
      const packed = await inTransaction(pool, async (client) =>
        (await takeTurn(client, "packing")) ? packInto(client, group) : null,
      );
      if (packed === null) break;
      all.push(packed);
    }
    return all.length === 0
      ? null
      : all.reduce((sum, { days: more, bytes }) => ({ days: sum.days + more, bytes: sum.bytes + bytes }));
  },
});

/** The newest day of a meter is never packed, so that its last reading is found among hour rows alone. */
const closedDays = (ends: EndsRow, before: number): ClosedDays[] => {
  const { site, meter, first_day: firstDay, newest_day: newestDay } = ends;
  const lastDay = Math.min(before, newestDay) - 1;
  return firstDay <= lastDay ? [{ site, meter, firstDay, lastDay }] : [];
};
type DaysOfShard = ShardGroup<MeterDay>;

/** Only hours that were read and locked are deleted: what is uploaded meanwhile waits, and is a new row. */
const packInto = async (db: Queryable, group: DaysOfShard): Promise<Packed> => {
  const hours = await lockHours(db, group);
  if (hours.length === 0) return { days: 0, bytes: 0 };
  const packed = await packedDays(db, group);
  const touched = new Map<string, MeterDayCells>();
  for (const row of hours) {
    const key = keyOf(row.meter, dayOfHour(row.hour));
    const day = touched.get(key) ?? packed.get(key) ?? emptyDay(row);
    touched.set(key, day);
    layHour(day, row);
  }
  const blocks = [...touched.values()].map((day) => ({ ...day, hours: hourBits(day), block: encodeDay(day.cells) }));
  await insertRows(db, WRITE_DAYS, { sites: group.sites, items: blocks });
  await queryShard(db, DELETE_HOURS, group.sites, valuesOf(hours, "site", "meter", "hour"));
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

type LockedRow = Row<"telemetry_hours", "site" | "meter" | "hour"> & { readonly kw: string };

// Uploads lock rows in the same order.
const LOCK_HOURS = oneShard(
  "lock-hours-to-pack",
  ({ within }) => `
    select stored.site, stored.meter, stored.hour, encode(array_send(stored.kw), 'base64') as kw
    from unnest($1::int[], $2::int[], $3::int[]) as asked (site, meter, day)
    join telemetry_hours as stored on stored.site = asked.site and stored.meter = asked.meter
      and stored.hour between asked.day * 24 and asked.day * 24 + 23${within("stored.site")}
    order by stored.site, stored.meter, stored.hour for update of stored`,
);

const lockHours = async (db: Queryable, { items, sites }: DaysOfShard): Promise<HourRow[]> => {
  const { rows } = await queryShard<LockedRow>(db, LOCK_HOURS, sites, columnsOf(items));
  return rows.map(({ site, meter, hour, kw }) => ({ site, meter, hour, cells: decodeCells(kw) }));
};

type PackedRow = Row<"telemetry_days", "site" | "meter" | "day"> & { readonly block: string };

const PACKED_DAYS = oneShard(
  "packed-days",
  ({ within }) => `
    select site, meter, day, encode(block, 'base64') as block
    from unnest($1::int[], $2::int[], $3::int[]) as asked (site, meter, day)
    join telemetry_days as packed using (site, meter, day)
    where true${within("packed.site")}`,
);

const packedDays = async (
  db: Queryable,
  { items, sites }: DaysOfShard,
): Promise<ReadonlyMap<string, MeterDayCells>> => {
  const { rows } = await queryShard<PackedRow>(db, PACKED_DAYS, sites, columnsOf(items));
  return new Map(
    rows.map(({ site, meter, day, block }) => [keyOf(meter, day), unpackedDay({ site, meter }, day, block)]),
  );
};

const WRITE_DAYS = insertedRows<MeterDay & Row<"telemetry_days", "hours" | "block">>("write-packed-days", {
  into: "telemetry_days",
  columns: { site: "int", meter: "int", day: "int", hours: "int", block: "bytea" },
  onConflict: "(site, meter, day) do update set hours = excluded.hours, block = excluded.block",
});

const DELETE_HOURS = oneShard(
  "delete-packed-hours",
  ({ within }) => `
    delete from telemetry_hours as stored using unnest($1::int[], $2::int[], $3::int[]) as packed (site, meter, hour)
    where stored.site = packed.site and stored.meter = packed.meter and stored.hour = packed.hour${within("stored.site")}`,
);
