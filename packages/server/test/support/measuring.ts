import { randomUUID } from "node:crypto";
import { type BodyOf, operator } from "@curtail/contract";
import { wireProgram } from "@curtail/testing/wire-forms";
import { expect, vi } from "vitest";
import { stampsOrNew } from "../../src/platform/stamps.js";
import { kwReading, upload } from "./metering.js";
import type { Participant, Running } from "./running.js";

/** For readers without a process that follows the journal: whatever may have changed is read again. */
export const newStampsOnly = {
  read: stampsOrNew(async () => {
    throw new Error("no journal is read");
  }),
  known: { dispatches: randomUUID },
};

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

export type MeasuredProgram = Partial<BodyOf<typeof operator.createProgram>> & { readonly commitment?: number | null };

/** A program with the given measurement settings, in which every site of the participants is enrolled. */
export const measuredProgram = async (
  service: Running,
  participants: readonly Participant[],
  { timezone = "UTC", commitment = 300, ...settings }: MeasuredProgram,
): Promise<string> => {
  const program = await service.made(operator.createProgram, {
    body: wireProgram({ name: "Measured", timezone, ...settings }),
  });
  for (const { id } of participants.flatMap(({ sites }) => sites)) {
    await service.made(operator.enrolSite, { params: { id: program.id, site_id: id }, body: { commitment } });
  }
  return program.id;
};

/** A dispatch of a program from one moment to another. */
export const dispatchBetween = async (
  service: Running,
  program_id: string,
  [start_time, end_time]: readonly [start: string, end: string | null],
  rest: Partial<BodyOf<typeof operator.createDispatch>> = {},
): Promise<string> =>
  (
    await service.made(operator.createDispatch, {
      body: { program_id, start_time, end_time, confirm_past: true, ...rest },
    })
  ).id;

// Explanations of baselines differ by method; each expectation is the check.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

export const performanceOf = (service: Running, id: string): Promise<Body> =>
  service.made(operator.getAnyDispatchPerformance, { params: { id } });

/** Moves the clock until the condition holds: the worker looks every few seconds. */
export const untilLooked = (service: Running, condition: () => Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(
    () => {
      service.clock.advance({ seconds: 6 });
      return condition();
    },
    { timeout: 15_000, interval: 100 },
  );

/** The same until a dispatch has so many final results. */
export const untilVersions = (service: Running, id: string, count: number): Promise<boolean> =>
  untilLooked(service, async () => (await performanceOf(service, id)).versions.length === count);

export const sitePerformanceOf = (service: Running, id: string, site_id: string): Promise<Body> =>
  service.made(operator.getAnySitePerformance, { params: { id, site_id } });

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
