import type { BenchDatabase } from "./database.js";

const HOUR_MS = 3_600_000;
/** Ten weekdays and the days off between them, plus a reserve. */
const HISTORY_HOURS = 17 * 24;

/** The load of each meter in an hour. */
export const historyKw = (hour: number): number => 100 + (hour % 24);

/** Whether each hour has a reading of the interval that ends then. */
export const hasHistory = (timestamp: string): boolean => new Date(Date.parse(timestamp) - 1).getUTCMinutes() >= 30;

/** Hours of all meters until the current one, for ten-day baselines; half-filled, which is enough for an interval to count. */
export const fillHistory = async ({ pool }: BenchDatabase): Promise<void> => {
  const first = Math.floor(Date.now() / HOUR_MS) - HISTORY_HOURS;
  const hours = Array.from({ length: HISTORY_HOURS }, (_, nth) => first + nth);
  await pool.query(
    `insert into telemetry_hours (site, meter, hour, kw)
     select sites.key, meters.key, hour, array_fill(history.kw, array[60], array[61])
     from sites join meters on meters.site_id = sites.id
     cross join unnest($1::int[], $2::float8[]) as history (hour, kw)`,
    [hours, hours.map(historyKw)],
  );
  await pool.query("vacuum analyze telemetry_hours");
};
