import { hasReadingIn, hoursWithin, type MeterKey, reportingCells } from "@curtail/measure";
import type { Reporting } from "../../telemetry/operations/site-load.js";
import type { ReadingRows, SiteToMeasure } from "./measurement-ports.js";
import type { SiteMeters } from "./site-summary.js";

/** Which meters were summed, and why the others were not (M1, M2). */
export const metersOf = (
  { meters, otherMeters }: Pick<SiteToMeasure, "meters" | "otherMeters">,
  counted: Reporting,
  reporting: Reporting,
): SiteMeters => ({
  summed: meters.filter(({ meter }) => counted.has(meter)).map(({ id, name }) => ({ id, name })),
  leftOut: [
    ...otherMeters,
    ...meters
      .filter(({ meter }) => !counted.has(meter))
      .map(({ id, name, meter }) => ({
        id,
        name,
        reason: reporting.has(meter) ? ("younger_than_look_back" as const) : ("silent" as const),
      })),
  ],
});

/** The meters with a reading in the week before the start, to the second (M2). */
export const readReporting = async (
  reader: ReadingRows,
  meters: readonly MeterKey[],
  startMs: number,
): Promise<Reporting> => {
  const cells = reportingCells(startMs);
  const { whole, cut } = hoursWithin(cells);
  const found = await reader.reporting(meters, { from: whole.first, to: whole.last });
  const left = meters.filter(({ meter }) => !found.has(meter));
  if (left.length === 0 || cut.length === 0) return found;
  const rows = await reader.rows({ meters: left, periods: cut.map((hour) => ({ from: hour, to: hour })) });
  return new Set([...found, ...rows.filter((row) => hasReadingIn(row, cells)).map(({ meter }) => meter)]);
};
