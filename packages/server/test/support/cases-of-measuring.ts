import {
  dispatchBetween,
  intervalsBetween,
  type MeasuredProgram,
  measuredProgram,
  uploadIntervals,
} from "./measuring.js";
import { firstOf } from "./metering.js";
import { type Participant, type Running, running } from "./running.js";

// Edge cases: days of 23 and 25 hours, gaps, export, commitments of 0 and none.
export let service: Running;

export const prepare = async () => {
  service = await running();
};

export const flat = (kw: number) => ({ method: { kind: "flat", kw } });

/** The mean of some weekdays, in hours. */
interface Case {
  readonly program: MeasuredProgram;
  /** Time of the look. */
  readonly at: string;
  /** Time of the enrolment, if it is not that of the look. */
  readonly enrolledAt?: string;
  readonly meters?: readonly string[];
  readonly loads: ReadonlyArray<readonly [from: string, to: string, kwAt: (endMs: number) => number, meter?: number]>;
}

/** A participant with one site, its readings, and a program that measures it. */
export const given = async ({ program, at, enrolledAt = at, meters = ["main"], loads }: Case) => {
  service.clock.set(new Date(enrolledAt));
  const participant = await service.newParticipant({ sites: [meters] });
  const programId = await measuredProgram(service, [participant], program);
  service.clock.set(new Date(at));
  for (const [from, to, kwAt, meter = 0] of loads) {
    const meterId = participant.sites[0]?.meters[meter] ?? "";
    await uploadIntervals(participant, meterId, intervalsBetween([from, to], 300, kwAt));
  }
  return { participant, siteId: firstOf(participant).siteId, programId };
};

/** Additive, the three hours that end an hour before the start. */
export const sameDay = {
  kind: "additive",
  window: { anchor: "start", from_minutes_before: 240, to_minutes_before: 60 },
  lowest: null,
  highest: null,
};

export const START = "2026-06-10T18:00:00Z";
export const END = "2026-06-10T19:00:00Z";
export const LATER = "2026-06-10T22:00:00Z";

export let measuredId: string;
export let siteId: string;
export let anna: Participant;

export const prepareCurves = async () => {
  const made = await given({
    program: { baseline: flat(100), commitment: 40 },
    at: LATER,
    loads: [["2026-06-10T17:00:00Z", "2026-06-10T18:30:00Z", () => 60.5]],
  });
  siteId = made.siteId;
  anna = made.participant;
  measuredId = await dispatchBetween(service, made.programId, [START, END]);
};
