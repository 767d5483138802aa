import { say } from "@curtail/words/page";
import { tenths } from "../format/quantity.js";
import { cursorTime } from "../format/time.js";
import type { CurveColour } from "./colours.js";
import { type Curve, type PowerChartProps, type Span, secondsOf } from "./curve.js";
import { gapsOf, isIn } from "./gaps.js";

/** The values of all visible curves in one interval. */
export interface Reading {
  readonly time: string;
  readonly rows: readonly ReadingRow[];
  /** Dispatches in progress then. */
  readonly during: readonly string[];
}

interface ReadingRow {
  readonly label: string;
  readonly colour: CurveColour;
  readonly dashed: boolean;
  readonly value: string;
  /** For example `late`, or why there is no value. */
  readonly note: string | null;
}

type Chart = Pick<PowerChartProps, "timestamps" | "curves" | "unit" | "timeZone" | "spans">;

/** What a chart shows at one of its timestamps; null if it has no such timestamp. */
export const readingAt = (
  { timestamps, curves, unit, timeZone, spans = [] }: Chart,
  index: number,
  hidden: ReadonlySet<string>,
): Reading | null => {
  const at = timestamps[index];
  if (at === undefined) return null;
  const seconds = secondsOf(at);
  return {
    time: cursorTime(new Date(seconds * 1000), stepSeconds(timestamps), timeZone),
    rows: curves
      .filter(({ label }) => !hidden.has(label))
      .map((curve) => ({
        label: curve.label,
        colour: curve.colour,
        dashed: curve.dashed === true,
        value: valueWords(curve.values[index], unit),
        note: noteOf(curve, index, timestamps),
      })),
    during: spans.filter((span) => isDuring(span, seconds)).map(({ label }) => label),
  };
};

/** The same for a screen reader. */
export const readingWords = ({ rows, during }: Reading): string =>
  [...rows.map(({ label, value, note }) => `${label} ${value}${note === null ? "" : `, ${note}`}`), ...during].join(
    "; ",
  );

export const stepSeconds = (timestamps: readonly (string | number)[]): number =>
  timestamps.length < 2 ? 0 : secondsOf(timestamps[1] ?? 0) - secondsOf(timestamps[0] ?? 0);

const valueWords = (value: number | null | undefined, unit: string): string =>
  value === null || value === undefined ? "–" : `${tenths(value)} ${unit}`;

const noteOf = (curve: Curve, index: number, timestamps: PowerChartProps["timestamps"]): string | null => {
  const quality = curve.quality?.[index] ?? null;
  if (quality !== null || curve.measured !== true || curve.values[index] !== null) return quality;
  const seconds = secondsOf(timestamps[index] ?? 0);
  return gapsOf(timestamps, curve.values).some((gap) => isIn(seconds, gap))
    ? say("no readings")
    : say("not received yet");
};

const isDuring = ({ start, end }: Span, seconds: number): boolean =>
  seconds > secondsOf(start) && (end === null || seconds <= secondsOf(end));
