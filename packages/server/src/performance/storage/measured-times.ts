import type { Row } from "../../platform/database/columns.js";

export type TimesRow = Row<"dispatches", "start_time" | "end_time" | "authorized" | "changed_at">;

/** The times in which a dispatch is measured. */
export const timesFrom = (row: TimesRow) =>
  timesOf({
    startMs: row.start_time.getTime(),
    endMs: row.end_time?.getTime() ?? null,
    changedMs: row.changed_at.getTime(),
    authorized: row.authorized,
  });

interface Times extends Pick<TimesRow, "authorized"> {
  readonly startMs: number;
  readonly endMs: number | null;
  readonly changedMs: number;
}

/** The same of times that were read as milliseconds. */
export const timesOf = ({ startMs, endMs, changedMs, authorized }: Times) => ({
  startMs: secondMs(startMs),
  endMs: endMs === null ? null : secondMs(endMs),
  // A cancelled dispatch does not change any more.
  cancelledMs: authorized ? null : secondMs(changedMs),
});

/** Times are in whole seconds, as everybody sees them (M10). */
export const wholeSecondMs = (at: Date): number => secondMs(at.getTime());

const secondMs = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** Milliseconds of a column: a number is read in a tenth of the time that a date takes, which counts for thousands of rows. */
export const msOf = (column: string): string => `trunc(1000 * extract(epoch from ${column}))::float8`;
