import type { IntervalColumns } from "./interval-columns.js";

/** A line whose local time clocks show twice; its interval has the earlier instant until the order of lines decides. */
export interface TwiceShown {
  /** Place among the intervals of its series. */
  readonly at: number;
  readonly laterMs: number;
}

export interface Report {
  /** What was done; it is right if the file is in order. */
  readonly note: (line: number, message: string) => void;
  readonly fault: (line: number, message: string) => void;
  /** Hours that the order of lines does not decide are left out, not faults. */
  readonly leavesOutUnclear: boolean;
}

/** Lines in a row whose times clocks show twice, as places among the intervals. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * Decides which of two instants each line means, by the order of the series' lines: its other times all rise or all fall,
 * and where the lines begin the hour again, clocks do. Anything else is a fault: nobody knows which hour is meant.
 */
export const assignTwiceShown = (
  name: string,
  rows: IntervalColumns,
  twice: readonly TwiceShown[],
  report: Report,
): void => {
  if (twice.length === 0) return;
  const later = new Map(twice.map(({ at, laterMs }) => [at, laterMs]));
  const direction = directionOf(rows, later);
  const runs = runsOf(twice, rows);
  for (const run of runs) {
    const isUnclear = direction === null || runs.length > MAX_NIGHTS || isSplit(run, runs, rows);
    const step = isUnclear ? null : onlyStepBack(rows, run, direction);
    const line = rows.line[run.from] ?? 1;
    if (step === null && report.leavesOutUnclear) {
      for (let at = run.from; at < run.to; at++) rows.powerKw[at] = Number.NaN;
      report.note(
        line,
        `${name}: clocks show the times of this hour twice, and the lines do not tell which is meant; it is left out`,
      );
      continue;
    }
    if (step === null) {
      report.fault(
        line,
        `${name}: clocks show the times of this hour twice, and the order of the lines does not tell which is meant; ${CURE}`,
      );
      continue;
    }
    const [from, to] = direction === "falls" ? [run.from, step] : [step, run.to];
    for (let at = from; at < to; at++) rows.startMs[at] = later.get(at) ?? 0;
    report.note(
      line,
      `${name}: clocks show the times of this hour twice; the lines ${direction === "falls" ? "run backwards, so the later hour comes first" : "run forwards, so the earlier hour comes first"}`,
    );
  }
};

const CURE =
  'give times with an offset from UTC, or leave the hour out with mapping {"leave_out":{"doubled_hour":true}}';

/** Of all times, except within an hour that is shown twice; null if they rise and fall, or there are too few. */
const directionOf = (
  { count, startMs }: IntervalColumns,
  later: ReadonlyMap<number, number>,
): "rises" | "falls" | null => {
  let [rises, falls] = [false, false];
  let [beforeMs, beforeLaterMs] = [Number.NaN, Number.NaN];
  for (let at = 0; at < count; at++) {
    const ms = startMs[at] ?? 0;
    const laterMs = later.get(at) ?? ms;
    rises ||= ms > beforeLaterMs;
    falls ||= laterMs < beforeMs;
    [beforeMs, beforeLaterMs] = [ms, laterMs];
  }
  if (rises === falls) return null;
  return rises ? "rises" : "falls";
};

/** Clocks are set back once a year. */
const MAX_NIGHTS = 200;
const HALF_DAY_MS = 43_200_000;

/** One for each time that clocks are set back, if its lines are together. */
export const runsOf = (twice: readonly TwiceShown[], { startMs }: IntervalColumns): Run[] => {
  const runs: Array<{ from: number; to: number }> = [];
  for (const { at } of twice) {
    const last = runs.at(-1);
    const isNext = last?.to === at && Math.abs((startMs[at] ?? 0) - (startMs[last.from] ?? 0)) < HALF_DAY_MS;
    if (last !== undefined && isNext) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
};

/** Whether another run is of the same night. */
const isSplit = (run: Run, runs: readonly Run[], { startMs }: IntervalColumns): boolean =>
  runs.some((other) => other !== run && Math.abs((startMs[other.from] ?? 0) - (startMs[run.from] ?? 0)) < HALF_DAY_MS);

/** Where the local times begin again; null if they never do, or more than once. */
const onlyStepBack = ({ startMs }: IntervalColumns, { from, to }: Run, direction: "rises" | "falls"): number | null => {
  const sign = direction === "rises" ? 1 : -1;
  let step: number | null = null;
  for (let at = from + 1; at < to; at++) {
    if (sign * ((startMs[at] ?? 0) - (startMs[at - 1] ?? 0)) > 0) continue;
    if (step !== null) return null;
    step = at;
  }
  return step;
};
