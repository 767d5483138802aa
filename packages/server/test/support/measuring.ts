import { expect } from "vitest";
import { kwReading, upload } from "./metering.js";
import type { Participant, Running } from "./running.js";

/** A mean over an interval of any length. */
export interface Interval {
  readonly endMs: number;
  readonly seconds: number;
  readonly kw: number;
}

const LONGEST_SECONDS = 300;
const PER_UPLOAD = 20_000;

/** Uploads intervals; those longer than a reading may be are split. */
export const uploadIntervals = async (
  participant: Participant,
  meterId: string,
  intervals: readonly Interval[],
): Promise<void> => {
  const readings = intervals.flatMap(({ endMs, seconds, kw }) => {
    const each = Math.min(seconds, LONGEST_SECONDS);
    return Array.from({ length: seconds / each }, (_, index) =>
      kwReading(meterId, new Date(endMs - index * each * 1000).toISOString(), kw, each),
    );
  });
  for (let from = 0; from < readings.length; from += PER_UPLOAD) {
    const answer = await upload(participant, readings.slice(from, from + PER_UPLOAD));
    expect(answer.status, answer.text.slice(0, 500)).toBe(200);
  }
};

/** The same load in every interval from one moment to another; `kwAt` gets the interval's end. */
export const intervalsBetween = (
  [from, to]: readonly [from: string, to: string],
  seconds: number,
  kwAt: (endMs: number) => number,
): Interval[] => {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: (toMs - fromMs) / 1000 / seconds }, (_, index) => {
    const endMs = fromMs + (index + 1) * seconds * 1000;
    return { endMs, seconds, kw: kwAt(endMs) };
  });
};

export interface MeasuredProgram {
  readonly timezone?: string;
  readonly baseline?: unknown;
  readonly holidays?: readonly string[];
  readonly status_limits?: unknown;
  readonly commitment?: number | null;
}

/** A program with the given measurement settings, in which every site of the participants is enrolled. */
export const measuredProgram = async (
  service: Running,
  participants: readonly Participant[],
  { timezone = "UTC", commitment = 300, ...settings }: MeasuredProgram,
): Promise<string> => {
  const rest = { name: "Measured", market: "", program_type: "capacity" };
  const program = await service.made("POST", "/programs", { timezone, ...rest, ...settings });
  for (const { id } of participants.flatMap(({ sites }) => sites)) {
    await service.made("PUT", `/programs/${program.id}/sites/${id}`, { commitment });
  }
  return program.id;
};

/** A dispatch of a program from one moment to another. */
export const dispatchBetween = async (
  service: Running,
  program_id: string,
  [start_time, end_time]: readonly [start: string, end: string | null],
  rest: Readonly<Record<string, unknown>> = {},
): Promise<string> => (await service.made("POST", "/dispatches", { program_id, start_time, end_time, ...rest })).id;

// A test looks into what it was sent; each expectation is the check.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

export const performanceOf = (service: Running, dispatchId: string): Promise<Body> =>
  service.made<Body>("GET", `/dispatches/${dispatchId}/performance`);

export const sitePerformanceOf = (service: Running, dispatchId: string, siteId: string): Promise<Body> =>
  service.made<Body>("GET", `/dispatches/${dispatchId}/sites/${siteId}/performance`);

/** The mean of the latest days of any kind, hour by hour, with optional exclusions. */
export const meanOfDays = (days: number, exclude: object = {}) => ({
  method: {
    kind: "days",
    interval_seconds: 3600,
    rules: [
      {
        pool: {
          day_types: ["weekday", "saturday", "sunday"],
          lookback_days: 10,
          days,
          min_days: days,
          exclude: { event: true, incomplete: true, low_usage: null, ...exclude },
        },
        pick: { kind: "all" },
      },
    ],
    average: { kind: "mean" },
    adjust: { kind: "none" },
    allow_negative: true,
    fallback: null,
  },
});
