import type { EnergyGrid } from "./energy-grid.js";
import { CELL_SECONDS } from "./grid.js";
import { dateOf, dayOfDate, localTime } from "./local-time.js";

/** Lengths of calendar intervals. */
export type CalendarStep = "hour" | "day" | "month";

const HOUR_SECONDS = 3600;
const nominalSeconds: Readonly<Record<CalendarStep, number>> = { hour: HOUR_SECONDS, day: 86_400, month: 30 * 86_400 };

/**
 * The intervals of the calendar from one local day to another, both included: the hours of the local clock, local days of
 * 23 to 25 hours, or months. The first and the last month are cut at these days. `intervalSeconds` is nominal.
 */
export const calendarGrid = (
  { from, to }: { readonly from: string; readonly to: string },
  step: CalendarStep,
  timezone: string,
): EnergyGrid => {
  const [first, end] = [dayOfDate(from), dayOfDate(to) + 1];
  const time = localTime(timezone);
  const startOf = (day: number): number => time.startOf(day);
  const days = Array.from({ length: end - first }, (_, index) => first + index);
  const starts = {
    hour: () => days.flatMap((day) => hoursBetween(startOf(day), startOf(day + 1))),
    day: () => days.map(startOf),
    month: () => days.filter((day) => day === first || dateOf(day).endsWith("-01")).map(startOf),
  }[step]();
  const edges = Float64Array.from([...starts, startOf(end)], (seconds) => seconds / CELL_SECONDS);
  return { intervalSeconds: nominalSeconds[step], edges, counted: edges };
};

/** The last is shorter where the clocks change by half an hour. */
const hoursBetween = (start: number, end: number): number[] =>
  Array.from({ length: Math.ceil((end - start) / HOUR_SECONDS) }, (_, hour) => start + hour * HOUR_SECONDS);
