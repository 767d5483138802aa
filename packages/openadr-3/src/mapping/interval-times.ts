import type { Interval, IntervalPeriod } from "../contract/interval.js";
import { isNow, parseTime } from "../rules/times.js";
import type { EventInterval } from "./event-intervals.js";
import { fixedMs } from "./fixed-length.js";
import { quoted } from "./quoted.js";

/** When an interval of a report is, in Unix milliseconds; or why that is unknown, as its member and what to do. */
export type IntervalTime = { readonly startMs: number; readonly endMs: number } | { readonly fault: string };

export interface ReportIntervals {
  /** The default of the resource. */
  readonly defaults: IntervalPeriod | undefined;
  readonly intervals: readonly Interval[];
  /** Of the event, by id: they apply where the report gives no time itself. */
  readonly ofEvent: ReadonlyMap<number, EventInterval>;
  readonly now: Date;
}

/**
 * When the intervals of a resource are. The first begins at the default start; one without a start of its own follows
 * the one before. What begins "now" in a report was just measured: the intervals that follow each other from it end now.
 */
export const intervalTimes = (report: ReportIntervals): IntervalTime[] =>
  runsOf(report).flatMap((run) => timesOf(run, report.now));

/** Intervals that follow each other without a gap. */
interface Run {
  readonly start: number | "now" | Fault;
  readonly lengths: Array<number | Fault>;
}

interface Fault {
  readonly fault: string;
}

const runsOf = (report: ReportIntervals): Run[] => {
  const runs: Run[] = [];
  for (const [index, interval] of report.intervals.entries()) {
    const start = startOf(interval, index, report);
    const length = lengthOf(interval, report);
    const last = runs.at(-1);
    if (start === "follows" && last !== undefined) last.lengths.push(length);
    else runs.push({ start: start === "follows" ? noStart : start, lengths: [length] });
  }
  return runs;
};

/** A length that is at fault counts as 0, so that its fault is the only one of the run. */
const timesOf = ({ start, lengths }: Run, now: Date): IntervalTime[] => {
  if (typeof start === "object") return lengths.map(() => start);
  const totalMs = lengths.reduce<number>((sum, length) => sum + (typeof length === "number" ? length : 0), 0);
  let atMs = start === "now" ? now.getTime() - totalMs : start;
  return lengths.map((length) => {
    if (typeof length === "object") return length;
    const time = { startMs: atMs, endMs: atMs + length };
    atMs = time.endMs;
    return time;
  });
};

const startOf = ({ id, intervalPeriod }: Interval, index: number, { defaults, ofEvent }: ReportIntervals) => {
  const own = intervalPeriod?.start;
  if (own !== undefined && !saysNow(own)) return momentOf(own);
  const first = defaults?.start;
  if (index > 0 && (own !== undefined || first !== undefined)) return "follows";
  if (first !== undefined) return saysNow(first) ? "now" : momentOf(first);
  if (own !== undefined) return "now";
  // Without a start in the report: that of the event's interval, or where the one before ends.
  return ofEvent.get(id)?.startMs ?? (index === 0 ? noStart : "follows");
};

const lengthOf = ({ id, intervalPeriod }: Interval, { defaults, ofEvent }: ReportIntervals): number | Fault => {
  const text = [intervalPeriod?.duration, defaults?.duration].find((given) => given !== undefined && !isZero(given));
  if (text === undefined) return ofEvent.get(id)?.lengthMs ?? noLength;
  const length = fixedMs(text);
  if (length !== null && length > 0) return length;
  return {
    fault: `intervalPeriod.duration is ${quoted(text)}; give its days, hours, minutes and seconds, for example PT15M`,
  };
};

const noStart: Fault = { fault: "intervalPeriod has no start; give one there, or for the resource" };
const noLength: Fault = { fault: "intervalPeriod has no duration; give one there, or for the resource" };

/** PT0S is the default of the specification: not stated. */
const isZero = (text: string): boolean => fixedMs(text) === 0;

const saysNow = (text: string): boolean => {
  const at = parseTime(text);
  return at !== null && isNow(at);
};

const momentOf = (text: string): number | Fault =>
  parseTime(text)?.getTime() ?? {
    fault: `intervalPeriod.start is ${quoted(text)}; give RFC 3339 with an offset, for example 2026-07-01T18:00:00Z`,
  };
