import { operator, type QueryOf } from "@curtail/contract";
import { intervalsBetween, type MeasuredProgram, measuredProgram, uploadIntervals } from "./measuring.js";
import { type Participant, type Running, running } from "./running.js";

// Methods are tried on days without a dispatch (M17).
export let service: Running;

export const prepare = async () => {
  service = await running();
};

/** A Wednesday. */
export const NOW = "2026-06-10T20:03:00Z";
export const FIRST = "2026-05-20T00:00:00Z";

export type Query = QueryOf<typeof operator.getBaselineAccuracy>;

interface Tried {
  readonly participant: Participant;
  readonly siteId: string;
  readonly programId: string;
  readonly load: (kwAt: (endMs: number) => number, from?: string, to?: string, meter?: number) => Promise<void>;
  /** Tries methods from 14:00 to 16:00. */
  readonly tried: (query?: Partial<Query>) => ReturnType<typeof service.made<typeof operator.getBaselineAccuracy>>;
}

export const siteOf = async (program: MeasuredProgram, meters: readonly string[] = ["main"]): Promise<Tried> => {
  service.clock.set(new Date(NOW));
  const participant = await service.newParticipant({ sites: [meters] });
  const site = participant.sites[0];
  const siteId = site?.id ?? "";
  const programId = await measuredProgram(service, [participant], program);
  return {
    participant,
    siteId,
    programId,
    load: (kwAt, from = FIRST, to = "2026-06-10T20:00:00Z", meter = 0) =>
      uploadIntervals(participant, site?.meters[meter] ?? "", intervalsBetween([from, to], 300, kwAt)),
    tried: (query = {}) =>
      service.made(operator.getBaselineAccuracy, {
        params: { id: siteId },
        query: { program_id: programId, start: "14:00", minutes: 120, days: 4, ...query },
      }),
  };
};

export const dayOf = (endMs: number): number => new Date(endMs - 1).getUTCDate();
export const hourOf = (endMs: number): number => new Date(endMs - 1).getUTCHours();

export const WEEKDAYS = ["2026-06-09", "2026-06-08", "2026-06-05", "2026-06-04"];
