import type { PoolDay } from "./pool.js";

/** A day that lacks more than this share of its intervals cannot be ranked by its energy. */
export const MOST_MISSING = 1 / 8;

/**
 * Days of a pool with the energy by which they are ranked: an interval without load counts as what the days of the pool had on
 * average at that time of day, so that a gap neither raises nor lowers a day; as nothing if none had any.
 */
export const withFilledEnergy = (days: readonly PoolDay[], intervalSeconds: number): readonly PoolDay[] => {
  const means = new Map<number, number>();
  const meanAt = (slot: number): number => {
    const found = means.get(slot) ?? meanOf(days.map(({ slotsKw }) => slotsKw[slot] ?? Number.NaN));
    means.set(slot, found);
    return found;
  };
  return days.map((day) => {
    if (day.missing === 0) return day;
    let missingKw = 0;
    for (const [slot, gaps] of day.gapsAt.entries()) if (gaps > 0) missingKw += gaps * meanAt(slot);
    return { ...day, energyKwh: day.energyKwh + (missingKw * intervalSeconds) / 3600 };
  });
};

/** Of what is known; 0 if nothing is. */
const meanOf = (values: readonly number[]): number => {
  const known = values.filter((kw) => !Number.isNaN(kw));
  return known.length === 0 ? 0 : known.reduce((sum, kw) => sum + kw, 0) / known.length;
};
