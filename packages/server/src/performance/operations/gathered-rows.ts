import type { MeterKey } from "@curtail/measure";
import { Batcher } from "../../platform/batcher.js";
import { grouped } from "../../platform/grouped.js";
import { nextTurn, turns } from "../../platform/turns.js";
import type { AskedHours } from "../../telemetry/operations/hour-stretches.js";
import type { ReadingRows, ReadRow } from "./measurement-ports.js";
import type { ProfileDays } from "./profile-ports.js";

type Read<T, H extends unknown[]> = (meters: readonly MeterKey[], ...hours: H) => Promise<T>;
/** The parts of an answer for the meters of several sites that are about each. */
type Split<T> = (all: T, sites: ReadonlyArray<readonly MeterKey[]>) => readonly T[];

/** Reads together what sites ask for at the same time, once each of them has had its turn after the answer before. */
export const gatheredRows = ({ reporting, rows, firstHours, profiles }: ReadingRows): ReadingRows => {
  const sites = resumedInTurns();
  const readProfiles = together(sites, (asked: readonly ProfileDays[]) => profiles(...asked));
  return {
    reporting: gathered(sites, reporting, (all, asked) =>
      asked.map((meters) => new Set(numbersOf(meters).filter((meter) => all.has(meter)))),
    ),
    rows: gatheredHours(sites, rows),
    firstHours: gathered(sites, firstHours, (all, asked) => asked.map(() => all)),
    profiles: (...asked) => Promise.all(asked.map(readProfiles)),
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
const gatheredHours = (sites: Resumed, rows: ReadingRows["rows"]): ReadingRows["rows"] => {
  const read = together(
    sites,
    async (asked: readonly AskedHours[]): Promise<ReadRow[][]> => {
      const byMeter = grouped(await rows(...asked), ({ meter }) => meter);
      return asked.map(({ meters }) => numbersOf(meters).flatMap((meter) => byMeter.get(meter) ?? []));
    },
    ({ meters }) => String(meters[0]?.meter),
  );
  return async (...asked) => (await Promise.all(asked.map(read))).flat();
};

/** By the hours that are asked for, if any are. */
const gathered = <T, H extends unknown[]>(sites: Resumed, read: Read<T, H>, split: Split<T>): Read<T, H> => {
  const byHours = new Map<string, (meters: readonly MeterKey[]) => Promise<T>>();
  return (meters, ...hours) => {
    const key = JSON.stringify(hours);
    const readThem =
      byHours.get(key) ??
      together(sites, async (asked: ReadonlyArray<readonly MeterKey[]>) =>
        split(await read(asked.flat(), ...hours), asked),
      );
    byHours.set(key, readThem);
    return readThem(meters);
  };
};

/** Reads for all that ask before the last of them had its turn. `keyOf`: items of the same key are read one after the other. */
const together = <I, T>(
  { resume, allResumed }: Resumed,
  read: (items: readonly I[]) => Promise<readonly T[]>,
  keyOf?: (item: I) => string,
): ((item: I) => Promise<T>) => {
  const batcher = new Batcher<I, { readonly found: T }>({
    work: async (items) => (await read(items)).map((found) => ({ found })),
    atOnce: Number.POSITIVE_INFINITY,
    gather: allResumed,
    ...(keyOf === undefined ? {} : { keyOf }),
  });
  return async (item) => {
    const { found } = await batcher.add(item);
    await resume();
    return found;
  };
};
