import { type BodyOf, operator } from "@curtail/contract";
import { intervalsBetween, type MeasuredProgram, measuredProgram, uploadIntervals } from "./measuring.js";
import { type Participant, type Running, running } from "./running.js";

// Which meters and which days a result is measured by: the rules M1, M2, M5, M6, M10 and M12.
export let service: Running;

export const prepare = async () => {
  service = await running();
};

export const START = "2026-06-10T18:00:00Z";
export const END = "2026-06-10T19:00:00Z";
export const LATER = "2026-06-10T20:03:00Z";
export const FIRST = "2026-06-05T00:00:00Z";
export const at = (time: string): void => service.clock.set(new Date(time));

type AssetType = NonNullable<BodyOf<typeof operator.createMeter>["asset_type"]>;
export type Load = readonly [meter: string, from: string, to: string, kwAt: (endMs: number) => number];

interface Measured {
  readonly participant: Participant;
  readonly siteId: string;
  readonly programId: string;
  readonly meterOf: (name: string) => string;
  readonly load: (...loads: readonly Load[]) => Promise<void>;
}

/** A site with meters of some types, and a program that measures it. */
export const measured = async (
  meters: Readonly<Record<string, AssetType>>,
  program: MeasuredProgram,
): Promise<Measured> => {
  at(LATER);
  const names = Object.keys(meters);
  const participant = await service.newParticipant({ sites: [names] });
  const site = participant.sites[0];
  const meterOf = (name: string): string => site?.meters[names.indexOf(name)] ?? "";
  for (const [name, asset_type] of Object.entries(meters))
    await service.made(operator.changeMeter, { params: { id: meterOf(name) }, body: { asset_type } });
  return {
    participant,
    siteId: site?.id ?? "",
    programId: await measuredProgram(service, [participant], program),
    meterOf,
    async load(...loads) {
      for (const [name, from, to, kwAt] of loads)
        await uploadIntervals(participant, meterOf(name), intervalsBetween([from, to], 300, kwAt));
    },
  };
};

/** So many kW, and so many less during the dispatch. */
export const curtailed =
  (kw: number, lessKw = 0) =>
  (endMs: number): number =>
    endMs > Date.parse(START) && endMs <= Date.parse(END) ? kw - lessKw : kw;

export const namesOf = (meters: ReadonlyArray<{ readonly name: string }>): string[] => meters.map(({ name }) => name);

/** Twice the load on the day before the dispatch. */
export const kwAt = (endMs: number): number => (new Date(endMs - 1).getUTCDate() === 9 ? 200 : 100);
