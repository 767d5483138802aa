import { type PowerChartProps, secondsOf } from "./curve.js";
import type { TimeRange } from "./zoom.js";

/** A name that a spreadsheet would take for a formula gets an apostrophe. */
const safe = (text: string): string => {
  const named = /^\s*[=+\-@＝＋－＠]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(named) ? `"${named.replaceAll('"', '""')}"` : named;
};

/** The shown values as CSV: the end of each interval in UTC, and a column for each curve. */
export const chartCsv = (
  { timestamps, curves, unit }: Pick<PowerChartProps, "timestamps" | "curves" | "unit">,
  shown: TimeRange | null,
): string => {
  const head = ["timestamp", ...curves.map(({ label }) => safe(`${label} (${unit})`))];
  const rows = timestamps.flatMap((at, i) => {
    const seconds = secondsOf(at);
    if (shown !== null && (seconds < shown.min || seconds > shown.max)) return [];
    const time = new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
    return [[time, ...curves.map(({ values }) => values[i] ?? "")].join(",")];
  });
  return [head.join(","), ...rows, ""].join("\r\n");
};
