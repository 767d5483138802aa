import type { LoadSeries } from "./load-series.js";
import { type LocalInterval, meanIn } from "./local-interval.js";
import type { Pick } from "./method.js";
import type { PoolDay } from "./pool.js";

type Picked = readonly PoolDay[];

/** The days that count at a slot of the local day: the same for all slots, unless intervals are ranked separately. */
export type DaysAt = (slot: number) => Picked;

/** The dispatch's own day, for `match`. */
export interface EventLoad {
  readonly load: LoadSeries;
  /** Without the intervals of the dispatch, which do not count. */
  readonly window: readonly LocalInterval[];
}

/** How far a day is from the dispatch's own, in kW²; NaN if they cannot be compared. */
export interface Distance {
  readonly day: number;
  readonly kw2: number;
}

/** The days that were picked, and for `match` the distance of each day of the pool. */
export interface Picking {
  readonly at: DaysAt;
  readonly distances: readonly Distance[] | null;
}

/** Picks from the pool. Ties go to the more recent day, in every ranking. */
export const pickDays = (days: Picked, pick: Pick, eventLoad: EventLoad): Picking => {
  if (pick.kind !== "match") return { at: pickBySize(days, pick), distances: null };
  const distances = new Map(days.map((each) => [each.day, distanceTo(eventLoad, each)]));
  const nearest = ranked(days, ({ day }) => -(distances.get(day) ?? Number.NaN)).slice(0, pick.count);
  return { at: () => nearest, distances: [...distances].map(([day, kw2]) => ({ day, kw2 })) };
};

const pickBySize = (days: Picked, pick: Exclude<Pick, { kind: "match" }>): DaysAt => {
  if (pick.kind === "all") return () => days;
  const take = (ranking: Picked): Picked =>
    pick.kind === "high"
      ? ranking.slice(0, pick.count)
      : ranking.slice(pick.drop_highest, ranking.length - pick.drop_lowest);
  if (pick.rank_by === "per_interval") return eachSlot((slot) => take(ranked(days, valueOf(slot))));
  const byEnergy = pick.rank_by === "daily_energy";
  const picked = take(ranked(days, (day) => (byEnergy ? day.energyKwh : day.eventMeanKw)));
  return () => picked;
};

const valueOf =
  (slot: number) =>
  (day: PoolDay): number =>
    day.slotsKw[slot] ?? Number.NaN;

/** Highest first; excludes days without a score. */
const ranked = (days: Picked, scoreOf: (day: PoolDay) => number): Picked =>
  days
    .map((day) => ({ day, score: scoreOf(day) }))
    .filter(({ score }) => !Number.isNaN(score))
    .sort((a, b) => b.score - a.score || b.day.day - a.day.day)
    .map(({ day }) => day);

const eachSlot = (pickAt: DaysAt): DaysAt => {
  const picked = new Map<number, Picked>();
  return (slot) => {
    const found = picked.get(slot) ?? pickAt(slot);
    picked.set(slot, found);
    return found;
  };
};

/** Sum of the squares of the differences in the window (M13); NaN if the day lacks an interval of the dispatch's own. */
const distanceTo = ({ load, window }: EventLoad, day: PoolDay): number => {
  let sum = 0;
  let compared = 0;
  for (const interval of window) {
    const kw = meanIn(load, interval);
    if (Number.isNaN(kw)) continue;
    sum += (kw - valueOf(interval.slot)(day)) ** 2;
    compared += 1;
  }
  return compared === 0 ? Number.NaN : sum;
};
