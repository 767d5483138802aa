import { hourOf } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import type { Hours } from "../domain/hours.js";
import { columnsOf, encodeColumns, type LoggedColumns, type UploadedReadings } from "./log-batch.js";

/** SQL: the log has readings of hours from `first` to `last`. The index finds what may have some. */
export const overlapsLog = (first: string, last: string): string =>
  `exists (select from telemetry_log
     where first_hour <= ${last} and last_hour >= ${first} and hours && int4range(${first}, ${last}, '[]'))`;

/** Beyond this number, hours are kept from the first to the last. */
const MOST_HOURS = 100;

/** Hours of a batch, in their order. A batch is mostly of one. */
const hoursOf = ({ count, lastCells, cellCounts }: LoggedColumns): number[] => {
  const hours = new Set<number>();
  for (let index = 0; index < count; index++) {
    const cell = lastCells[index] ?? 0;
    const last = hourOf(cell);
    for (let hour = hourOf(cell - (cellCounts[index] ?? 1) + 1); hour <= last; hour++) hours.add(hour);
  }
  return [...hours].toSorted((a, b) => a - b);
};

/** Of type `int4multirange`. */
const rangesOf = (hours: readonly number[]): string =>
  hours.length > MOST_HOURS
    ? `{[${hours[0]},${hours.at(-1)}]}`
    : `{${hours.map((hour) => `[${hour},${hour}]`).join(",")}}`;

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
  const hours = hoursOf(columns);
  await db.query({
    name: "append-to-log",
    text: `insert into telemetry_log (first_hour, last_hour, hours, count, readings) values ($1, $2, $3, $4, $5)`,
    values: [hours[0], hours.at(-1), rangesOf(hours), columns.count, encodeColumns(columns)],
  });
};
