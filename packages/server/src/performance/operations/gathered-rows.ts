import type { MeterKey } from "@curtail/measure";
import { Batcher } from "../../platform/batcher.js";
import { nextTurn, turns } from "../../platform/turns.js";
import type { AskedHours } from "../../telemetry/operations/asked-hours.js";
import { rowsByMeter } from "../../telemetry/operations/rows-by-meter.js";
import type { ReadingRows, ReadRow } from "./measurement-ports.js";

type Read<T, H extends unknown[]> = (meters: readonly MeterKey[], ...hours: H) => Promise<T>;
/** The parts of an answer for the meters of several sites that are about each. */
type Split<T> = (all: T, sites: ReadonlyArray<readonly MeterKey[]>) => readonly T[];

/** Reads together what sites ask for at the same time, once each of them has had its turn after the answer before. */
export const gatheredRows = ({ reporting, rows, firstHours }: ReadingRows): ReadingRows => {
  const sites = resumedInTurns();
  return {
    reporting: gathered(sites, reporting, (all, asked) =>
      asked.map((meters) => new Set(numbersOf(meters).filter((meter) => all.has(meter)))),
    ),
    rows: gatheredHours(sites, rows),
    firstHours: gathered(sites, firstHours, (all, asked) => asked.map(() => all)),
  };
};

interface Resumed {
  readonly resume: () => Promise<void>;
  readonly allResumed: () => Promise<void>;
}

/** Sites that are read together are computed in turns, so that they ask for the next rows one after the other. */
const resumedInTurns = (): Resumed => {
  const othersTurn = turns();
  let resuming = 0;
  const resume = async (): Promise<void> => {
    resuming += 1;
    await othersTurn();
    resuming -= 1;
  };
  const allResumed = async (): Promise<void> => {
    await nextTurn();
    if (resuming > 0) await allResumed();
  };
  return { resume, allResumed };
};

const numbersOf = (meters: readonly MeterKey[]): number[] => meters.map(({ meter }) => meter);

/** Sites look back on days of their own, where each has other dispatches: one statement reads them all. */
const gatheredHours = ({ resume, allResumed }: Resumed, rows: ReadingRows["rows"]): ReadingRows["rows"] => {
  const batcher = new Batcher<AskedHours, readonly ReadRow[]>({
    work: async (asked) => {
      const byMeter = rowsByMeter(await rows(...asked));
      return asked.map(({ meters }) => numbersOf(meters).flatMap((meter) => byMeter.get(meter) ?? []));
    },
    atOnce: Number.POSITIVE_INFINITY,
    gather: allResumed,
    keyOf: ({ meters }) => String(meters[0]?.meter),
  });
  return async (...asked) => {
    const found = await Promise.all(asked.map((each) => batcher.add(each)));
    await resume();
    return found.flat();
  };
};

const gathered = <T, H extends unknown[]>(
  { resume, allResumed }: Resumed,
  read: Read<T, H>,
  split: Split<T>,
): Read<T, H> => {
  const batchers = new Map<string, Batcher<readonly MeterKey[], { readonly found: T }>>();
  const batcherOf = (hours: H) =>
    new Batcher<readonly MeterKey[], { readonly found: T }>({
      work: async (sites) => split(await read(sites.flat(), ...hours), sites).map((found) => ({ found })),
      atOnce: Number.POSITIVE_INFINITY,
      gather: allResumed,
    });
  return async (meters, ...hours) => {
    const key = JSON.stringify(hours);
    const batcher = batchers.get(key) ?? batcherOf(hours);
    batchers.set(key, batcher);
    const { found } = await batcher.add(meters);
    await resume();
    return found;
  };
};
