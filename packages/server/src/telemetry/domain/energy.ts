import { type Period, refusePeriod } from "../../platform/period.js";
import { invalid, type Refusal } from "../../platform/refusal.js";

const MAX_ENERGY_DAYS = 400;
export const DEFAULT_ENERGY_POINTS = 1500;
export const DEFAULT_DOWNLOAD_SECONDS = 300;

/** Each interval of a meter takes three numbers of the answer. */
const MAX_CELLS_OF_ALL_METERS = 300_000;
/** For any number of meters: more than the longest period has days. */
const LEAST_POINTS = 500;

export type FileFormat = "csv" | "parquet";

const formats: Readonly<Record<FileFormat, { readonly name: string; readonly maxRows: number }>> = {
  csv: { name: "CSV", maxRows: 20_000_000 },
  parquet: { name: "Parquet", maxRows: 3_000_000 },
};

export const refuseEnergyPeriod = (period: Period): Refusal | null =>
  refusePeriod(period, MAX_ENERGY_DAYS, "a period of energy");

/** Limit of intervals in an answer: as many as requested, fewer for a site with very many meters. */
export const cellsAllowed = (points: number, meters: number): number =>
  Math.min(points, Math.max(LEAST_POINTS, Math.floor(MAX_CELLS_OF_ALL_METERS / Math.max(1, meters))));

export const tooFewPoints = (points: number, days: number): Refusal =>
  invalid(
    `points is ${points}, but the period has ${days} days and needs at least one point per day; ` +
      `choose a shorter period or at least ${days} points`,
  );

export const refuseRows = (
  rows: number,
  format: FileFormat,
  advice = "choose a shorter period or a longer interval_seconds",
): Refusal | null => {
  const { name, maxRows } = formats[format];
  if (rows <= maxRows) return null;
  return invalid(`the file would have ${rows} rows, and ${name} has at most ${maxRows}; ${advice}`);
};
