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

/** Days of all sites together that one answer sums up: some 5 seconds of work. */
const MOST_SITE_DAYS = 8000;
const MOST_HOURLY_DAYS = 32;

export const refuseBars = ({ days, sites, isHourly }: Record<"days" | "sites", number> & { isHourly: boolean }) => {
  if (days < 1) return invalid("to is before from; give the first and the last day of the period");
  if (days > MAX_ENERGY_DAYS)
    return invalid(`the period has ${days} days, and at most ${MAX_ENERGY_DAYS} are summed up; choose a later from`);
  if (isHourly && days > MOST_HOURLY_DAYS)
    return invalid(`the period has ${days} days; by hour it has at most ${MOST_HOURLY_DAYS}; choose by=day`);
  if (sites * days <= MOST_SITE_DAYS) return null;
  return invalid(
    `${sites} sites over ${days} days are too much to sum up at once; choose one site, or at most ${Math.max(1, Math.floor(MOST_SITE_DAYS / sites))} days`,
  );
};

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
