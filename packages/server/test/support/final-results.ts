import { dispatchBetween, intervalsBetween, measuredProgram, performanceOf, uploadIntervals } from "./measuring.js";
import { type Participant, type Running, running } from "./running.js";

// Final results: stored once the last input has arrived, never changed, followed by new versions.
export let service: Running;

export const START = "2026-06-10T18:00:00Z";
export const END = "2026-06-10T19:00:00Z";
export const minute = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();
export const at = (minutes: number): void => service.clock.set(new Date(minute(minutes)));

export const prepare = async () => {
  service = await running();
};

export interface Dispatched {
  readonly id: string;
  readonly anna: Participant;
  readonly siteId: string;
  /** Uploads load between two minutes after the start, of the first or second site. */
  readonly load: (from: number, to: number, kw: number, site?: number) => Promise<void>;
}

/** A dispatch of two sites whose load before it was 100 kW. */
export const dispatched = async (
  baseline: Record<string, unknown> = { kind: "meter_before", seconds: 900, anchor: "start" },
): Promise<Dispatched> => {
  at(0);
  const anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  const load: Dispatched["load"] = (from, to, kw, site = 0) =>
    uploadIntervals(
      anna,
      anna.sites[site]?.meters[0] ?? "",
      intervalsBetween([minute(from), minute(to)], 30, () => kw),
    );
  for (const site of [0, 1]) await load(-120, 0, 100, site);
  const programId = await measuredProgram(service, [anna], { baseline: { method: baseline }, commitment: 40 });
  const id = await dispatchBetween(service, programId, [START, END]);
  return { id, anna, load, siteId: anna.sites[0]?.id ?? "" };
};

export const stateOf = async (id: string): Promise<string> => (await performanceOf(service, id)).state;
export const versionsOf = async (id: string): Promise<Array<{ version: number; at: string; reason: string }>> =>
  (await performanceOf(service, id)).versions;
