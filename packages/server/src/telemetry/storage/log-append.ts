import { hourOf } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import type { Hours } from "../domain/hours.js";
import { columnsOf, encodeColumns, type LoggedColumns, type UploadedReadings } from "./log-batch.js";

/** SQL: the log has readings of hours from `first` to `last`. */
export const overlapsLog = (first: string, last: string): string =>
  `exists (select from telemetry_log where first_hour <= ${last} and last_hour >= ${first})`;

const hoursOf = ({ count, lastCells, cellCounts }: LoggedColumns): Hours => {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < count; index++) {
    const cell = lastCells[index] ?? 0;
    from = Math.min(from, cell - (cellCounts[index] ?? 1) + 1);
    to = Math.max(to, cell);
  }
  return { from: hourOf(from), to: hourOf(to) };
};

/** Whether the log has readings of these hours, of whatever meter. */
export const isLoggedIn = async (db: Queryable, { from, to }: Hours): Promise<boolean> => {
  const { rows } = await db.query<{ is_logged: boolean }>({
    name: "log-overlaps",
    text: `select ${overlapsLog("$1", "$2")} as is_logged`,
    values: [from, to],
  });
  return rows[0]?.is_logged === true;
};

/** Appends readings of several uploads, later ones in place of earlier ones. */
export const appendToLog = async (db: Queryable, readings: UploadedReadings): Promise<void> => {
  const columns = columnsOf(readings);
  const { from, to } = hoursOf(columns);
  await db.query({
    name: "append-to-log",
    text: `insert into telemetry_log (first_hour, last_hour, count, readings) values ($1, $2, $3, $4)`,
    values: [from, to, columns.count, encodeColumns(columns)],
  });
};
