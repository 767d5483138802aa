import type { MeterKey } from "@curtail/measure";
import { Batcher } from "../../platform/batcher.js";
import { turns } from "../../platform/turns.js";
import { rowsByMeter } from "../../telemetry/operations/rows-by-meter.js";
import type { ReadingRows } from "./measurement-ports.js";

type Read<T> = (meters: readonly MeterKey[], from: number, to: number) => Promise<T>;
/** The parts of an answer for the meters of several sites that are about each. */
type Split<T> = (all: T, sites: ReadonlyArray<readonly MeterKey[]>) => readonly T[];

/** Reads together what is asked for several sites in the same turn and for the same hours. */
export const gatheredRows = ({ reporting, rows }: ReadingRows): ReadingRows => ({
  reporting: gathered(reporting, (all, sites) =>
    sites.map((meters) => new Set(numbersOf(meters).filter((meter) => all.has(meter)))),
  ),
  rows: gathered(rows, (all, sites) => {
    const byMeter = rowsByMeter(all);
    return sites.map((meters) => numbersOf(meters).flatMap((meter) => byMeter.get(meter) ?? []));
  }),
});

const numbersOf = (meters: readonly MeterKey[]): number[] => meters.map(({ meter }) => meter);

const gathered = <T>(read: Read<T>, split: Split<T>): Read<T> => {
  const batchers = new Map<string, Batcher<readonly MeterKey[], { readonly found: T }>>();
  const batcherOf = (from: number, to: number) =>
    new Batcher<readonly MeterKey[], { readonly found: T }>({
      work: async (sites) => split(await read(sites.flat(), from, to), sites).map((found) => ({ found })),
      atOnce: Number.POSITIVE_INFINITY,
    });
  // Sites that are read together are computed in turns.
  const othersTurn = turns();
  return async (meters, from, to) => {
    const hours = `${from} ${to}`;
    const batcher = batchers.get(hours) ?? batcherOf(from, to);
    batchers.set(hours, batcher);
    const { found } = await batcher.add(meters);
    await othersTurn();
    return found;
  };
};
