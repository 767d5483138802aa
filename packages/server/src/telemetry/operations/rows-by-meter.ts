import type { HourRow } from "@curtail/measure";
import { grouped } from "../../platform/grouped.js";

export const rowsByMeter = <R extends HourRow>(rows: readonly R[]): ReadonlyMap<number, R[]> =>
  grouped(rows, ({ meter }) => meter);
