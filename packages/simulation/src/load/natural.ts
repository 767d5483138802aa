import type { Moment } from "./moment.js";
import { noiseAt, wandering } from "./noise.js";
import { jitter, peakAt, rise, summer } from "./shapes.js";

export const loadKinds = ["office", "cold_store", "pumps", "supermarket", "ev_depot", "process", "solar"] as const;
export type LoadKind = (typeof loadKinds)[number];

/** What a meter would measure without a dispatch, as a share of its peak; negative is export. */
export type NaturalLoad = (moment: Moment, seed: number) => number;

export const naturalLoads: Readonly<Record<LoadKind, NaturalLoad>> = {
  office: (moment, seed) => {
    const { hour, isWeekend } = moment;
    const people = (rise(hour, 6, 9) - rise(hour, 16.5, 20)) * (isWeekend ? 0.15 : 1);
    const cooling = (0.25 + 0.75 * summer(moment)) * peakAt(hour, 15, 4) * (0.2 + 0.8 * people);
    return (0.22 + 0.46 * people + 0.28 * cooling) * jitter(moment, seed, 0.04);
  },
  cold_store: (moment, seed) => {
    const warmth = 0.14 * summer(moment) + 0.1 * peakAt(moment.hour, 15, 4);
    return (0.55 + warmth + 0.12 * compressor(moment, seed)) * jitter(moment, seed, 0.03);
  },
  pumps: (moment, seed) => {
    const { hour } = moment;
    const demand = 0.3 + 0.4 * peakAt(hour, 7, 1.5) + 0.35 * peakAt(hour, 19, 2) + 0.45 * peakAt(hour, 2, 2.5);
    const running = Math.round(PUMPS * (demand + 0.12 * wandering(seed, moment.atMs, 1800)));
    return (0.03 + (0.93 * Math.min(PUMPS, Math.max(0, running))) / PUMPS) * jitter(moment, seed, 0.015);
  },
  supermarket: (moment, seed) => {
    const { hour, isWeekend } = moment;
    const open = rise(hour, 6, 7.5) - rise(hour, 21.5, 22.5);
    const ovens = 0.08 * peakAt(hour, 7, 1) + 0.05 * peakAt(hour, 16, 1.5);
    const cooling = 0.18 * summer(moment) * peakAt(hour, 15, 4);
    const cycle = 0.05 * compressor(moment, seed);
    return (0.42 + 0.24 * open * (isWeekend ? 1.06 : 1) + ovens + cooling + cycle) * jitter(moment, seed, 0.025);
  },
  ev_depot: (moment, seed) => {
    const { hour, isWeekend } = moment;
    const buses = 0.7 * peakAt(hour, 20.5, 2.5) + 0.35 * peakAt(hour, 1, 2) + 0.22 * peakAt(hour, 13, 1.2);
    return (0.06 + buses * (isWeekend ? 0.6 : 1)) * jitter(moment, seed, 0.06);
  },
  // Machines that run around the clock.
  process: (moment, seed) => 0.92 * jitter(moment, seed, 0.02),
  solar: (moment, seed) => {
    const sun = Math.max(0, sunHeight(moment));
    if (sun === 0) return 0;
    const clouds = 0.5 + 0.5 * wandering(seed, moment.atMs, 5400);
    return -(sun ** 1.15) * (1 - 0.55 * clouds ** 2) * (1 - 0.1 * Math.abs(wandering(seed + 2, moment.atMs, 240)));
  },
};

const PUMPS = 4;
const LATITUDE = (31 * Math.PI) / 180;
const TILT = (23.44 * Math.PI) / 180;
/** Clocks are ahead of the sun in summer, and a little in the west of a zone. */
const SOLAR_NOON_HOUR = 12.7;

/** Sine of the sun's altitude; negative below the horizon. */
const sunHeight = ({ hour, dayOfYear }: Moment): number => {
  const declination = -TILT * Math.cos((2 * Math.PI * (dayOfYear + 10)) / 365);
  const angle = ((hour - SOLAR_NOON_HOUR) * Math.PI) / 12;
  return Math.sin(LATITUDE) * Math.sin(declination) + Math.cos(LATITUDE) * Math.cos(declination) * Math.cos(angle);
};

/**
 * A compressor that alternates between running and resting for some minutes: from -1 to 1, each site with its own
 * rhythm.
 */
const compressor = ({ atMs }: Moment, seed: number): number => {
  const periodMs = (22 + 8 * noiseAt(seed, 7)) * 60_000;
  const phase = (atMs / periodMs + noiseAt(seed, 11)) * 2 * Math.PI;
  return Math.tanh(4 * Math.sin(phase));
};
