import { dispatchBetween, intervalsBetween, measuredProgram, performanceOf, uploadIntervals } from "./measuring.js";
import { type Participant, type Running, running } from "./running.js";

// A dispatch while it runs: numbers follow the readings, over GET and as a stream.
export let service: Running;
export let anna: Participant;
export let dispatchId: string;

export const START = "2026-06-10T18:00:00Z";
export const END = "2026-06-10T19:00:00Z";
export const minute = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();

/** Readings of one of the two sites between two minutes after the start. */
export const readings = (
  site: number,
  [from, to]: readonly [number, number],
  kw: number,
  seconds = 30,
): Promise<void> =>
  uploadIntervals(
    anna,
    anna.sites[site]?.meters[0] ?? "",
    intervalsBetween([minute(from), minute(to)], seconds, () => kw),
  );

export const prepare = async () => {
  service = await running();
};

export const prepareEach = async () => {
  service.clock.set(new Date(START));
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  for (const site of [0, 1]) await readings(site, [-60, 0], 100);
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  const programId = await measuredProgram(service, [anna], { baseline, commitment: 40 });
  // Nobody follows it before the tests begin.
  service.clock.set(new Date(minute(10)));
  dispatchId = await dispatchBetween(service, programId, [START, END]);
};

export const siteId = (index: number): string => anna.sites[index]?.id ?? "";

export const first = async () => (await performanceOf(service, dispatchId)).sites[0];

export const path = () => `/dispatches/${dispatchId}/performance/stream`;
