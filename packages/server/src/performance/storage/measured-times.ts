import type { Row } from "../../platform/database/columns.js";
import { wholeSecond } from "../../platform/timestamp.js";

export type TimesRow = Row<"dispatches", "start_time" | "end_time" | "authorized" | "changed_at">;

/** The times in which a dispatch is measured. */
export const timesFrom = (row: TimesRow) => ({
  startMs: wholeSecondMs(row.start_time),
  endMs: row.end_time === null ? null : wholeSecondMs(row.end_time),
  // A cancelled dispatch does not change any more.
  cancelledMs: row.authorized ? null : wholeSecondMs(row.changed_at),
});

/** Times are in whole seconds, as everybody is told them (M10). */
export const wholeSecondMs = (at: Date): number => wholeSecond(at).getTime();
