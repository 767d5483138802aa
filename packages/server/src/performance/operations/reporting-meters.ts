import { type CellRange, hasReadingIn, hoursWithin, type MeterKey, reportingCells } from "@curtail/measure";
import type { Hours } from "../../telemetry/domain/hours.js";
import type { Reporting } from "../../telemetry/operations/site-load.js";
import type { ReadingRows } from "./measurement-ports.js";

/** The meters with a reading in the week before the start, to the second (M2). */
export const readReporting = async (
  reader: ReadingRows,
  meters: readonly MeterKey[],
  startMs: number,
): Promise<Reporting> => {
  const cells = reportingCells(startMs);
  const { whole, cut } = hoursWithin(cells);
  const found = await reader.reporting(meters, hoursOf(whole));
  const left = meters.filter(({ meter }) => !found.has(meter));
  if (left.length === 0 || cut.length === 0) return found;
  const rows = await reader.rows({ meters: left, periods: cut.map((hour) => ({ from: hour, to: hour })) });
  return new Set([...found, ...rows.filter((row) => hasReadingIn(row, cells)).map(({ meter }) => meter)]);
};

const hoursOf = ({ first, last }: CellRange): Hours => ({ from: first, to: last });
