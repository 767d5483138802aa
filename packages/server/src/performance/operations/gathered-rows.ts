import type { MeterKey } from "@curtail/measure";
import { Batcher } from "../../platform/batcher.js";
import { turns } from "../../platform/turns.js";
import { rowsByMeter } from "../../telemetry/operations/rows-by-meter.js";
import type { ReadingRows } from "./measurement-ports.js";

type Read<T, H extends unknown[]> = (meters: readonly MeterKey[], ...hours: H) => Promise<T>;
/** The parts of an answer for the meters of several sites that are about each. */
type Split<T> = (all: T, sites: ReadonlyArray<readonly MeterKey[]>) => readonly T[];

/** Reads together what is asked for several sites in the same turn and for the same hours. */
export const gatheredRows = ({ reporting, rows, firstHours }: ReadingRows): ReadingRows => ({
  reporting: gathered(reporting, (all, sites) =>
    sites.map((meters) => new Set(numbersOf(meters).filter((meter) => all.has(meter)))),
  ),
  rows: gathered(rows, (all, sites) => {
    const byMeter = rowsByMeter(all);
    return sites.map((meters) => numbersOf(meters).flatMap((meter) => byMeter.get(meter) ?? []));
  }),
  firstHours: gathered(firstHours, (all, sites) => sites.map(() => all)),
});

const numbersOf = (meters: readonly MeterKey[]): number[] => meters.map(({ meter }) => meter);

const gathered = <T, H extends unknown[]>(read: Read<T, H>, split: Split<T>): Read<T, H> => {
  const batchers = new Map<string, Batcher<readonly MeterKey[], { readonly found: T }>>();
  const batcherOf = (hours: H) =>
    new Batcher<readonly MeterKey[], { readonly found: T }>({
      work: async (sites) => split(await read(sites.flat(), ...hours), sites).map((found) => ({ found })),
      atOnce: Number.POSITIVE_INFINITY,
    });
  // Sites that are read together are computed in turns.
  const othersTurn = turns();
  return async (meters, ...hours) => {
    const key = JSON.stringify(hours);
    const batcher = batchers.get(key) ?? batcherOf(hours);
    batchers.set(key, batcher);
    const { found } = await batcher.add(meters);
    await othersTurn();
    return found;
  };
};
