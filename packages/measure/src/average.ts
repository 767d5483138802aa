import { type Average, SEED_DAYS } from "./method.js";
import type { PoolDay } from "./pool.js";

/** Average in kW of some days at one slot of the local day; ignores days with a gap there, NaN if all have one. */
export const averageAt = (days: readonly PoolDay[], slot: number, average: Average): number => {
  const present = days.map(({ day, slotsKw }) => ({ day, kw: slotsKw[slot] ?? Number.NaN }));
  const filled = present.filter(({ kw }) => !Number.isNaN(kw)).sort((a, b) => a.day - b.day);
  const powers = filled.map(({ kw }) => kw);
  return average.kind === "mean" ? meanOf(powers) : rolling(powers, average.alpha, average.seed_days ?? SEED_DAYS);
};

/** Powers in kW, oldest first. */
const rolling = (powers: readonly number[], alpha: number, seedDays: number): number =>
  powers.slice(seedDays).reduce((before, kw) => alpha * kw + (1 - alpha) * before, meanOf(powers.slice(0, seedDays)));

const meanOf = (powers: readonly number[]): number => powers.reduce((sum, kw) => sum + kw, 0) / powers.length;
