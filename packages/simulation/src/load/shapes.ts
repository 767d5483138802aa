import type { Moment } from "./moment.js";
import { noiseAt, wandering } from "./noise.js";

const MIDSUMMER = 200;

/** Cooling demand: 1 in the middle of July, 0 in January. */
export const summer = ({ dayOfYear }: Moment): number =>
  0.5 + 0.5 * Math.cos((2 * Math.PI * (dayOfYear - MIDSUMMER)) / 365);

/** 1 at an hour of the day, falling off over `width` hours before and after, across midnight too. */
export const peakAt = (hour: number, center: number, width: number): number => {
  const away = Math.abs(((hour - center + 36) % 24) - 12);
  return Math.exp(-0.5 * (away / width) ** 2);
};

/** 0 before `from`, 1 after `to`, rising linearly between. */
export const rise = (hour: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (hour - from) / (to - from)));

/** Unexplained variation: some percent that drift over a quarter of an hour, and a little from reading to reading. */
export const jitter = ({ atMs }: Moment, seed: number, share: number): number =>
  1 + share * wandering(seed, atMs, 900) + (share / 3) * noiseAt(seed + 1, Math.floor(atMs / 30_000));
