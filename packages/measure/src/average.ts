import type { Average } from "./method.js";
import type { PoolDay } from "./pool.js";

/** Average in kW of some days at one slot of the local day; ignores days with a gap there, NaN if all have one. */
export const averageAt = (days: readonly PoolDay[], slot: number, average: Average): number => {
  const present = days.map(({ day, slotsKw }) => ({ day, kw: slotsKw[slot] ?? Number.NaN }));
  const filled = present.filter(({ kw }) => !Number.isNaN(kw)).sort((a, b) => a.day - b.day);
  if (average.kind === "mean") return filled.reduce((sum, { kw }) => sum + kw, 0) / filled.length;
  return filled.reduce(
    (before, { kw }) => (Number.isNaN(before) ? kw : average.alpha * kw + (1 - average.alpha) * before),
    Number.NaN,
  );
};
