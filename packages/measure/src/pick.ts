import { slotOf } from "./day.js";
import { type CellRange, type LoadSeries, valueAt } from "./load-series.js";
import type { LocalTime } from "./local-time.js";
import type { Pick } from "./method.js";
import type { PoolDay } from "./pool.js";

type Picked = readonly PoolDay[];

/** The days that count at a slot of the local day: the same for all slots, unless intervals are ranked separately. */
export type DaysAt = (slot: number) => Picked;

/** The dispatch's own day, for `match`. */
export interface EventLoad {
  readonly load: LoadSeries;
  readonly window: CellRange;
  readonly time: LocalTime;
}

/** Picks from the pool. Ties go to the more recent day, in every ranking. */
export const pickDays = (days: Picked, pick: Pick, eventLoad: EventLoad): DaysAt => {
  if (pick.kind === "all") return () => days;
  if (pick.kind === "match") {
    const distance = distanceTo(eventLoad);
    const nearest = ranked(days, (day) => -distance(day)).slice(0, pick.count);
    return () => nearest;
  }
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

/**
 * Mean square of the difference in the window; NaN if the day and the dispatch's day have no filled interval in common.
 */
const distanceTo =
  ({ load, window, time }: EventLoad) =>
  (day: PoolDay): number => {
    let sum = 0;
    let shared = 0;
    for (let cell = window.first; cell <= window.last; cell++) {
      const difference = valueAt(load, cell) - valueOf(slotOf(cell, load.intervalSeconds, time))(day);
      if (Number.isNaN(difference)) continue;
      sum += difference ** 2;
      shared += 1;
    }
    return sum / shared;
  };
