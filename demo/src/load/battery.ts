import type { Moment } from "./moment.js";

export interface Battery {
  readonly ratedKw: number;
  readonly capacityKwh: number;
}

/** What a battery did in an interval; discharging is negative, as for every meter. */
export interface BatteryStep {
  readonly powerKw: number;
  /** What it holds afterwards. */
  readonly energyKwh: number;
}

interface Interval {
  readonly moment: Moment;
  readonly hours: number;
  /** 0 to 1: how far it is called on. */
  readonly depth: number;
}

/** Discharges when it is called on, shaves the evening, and charges by night; it never holds less than nothing. */
export const batteryStep = (battery: Battery, energyKwh: number, { moment, hours, depth }: Interval): BatteryStep => {
  const wishedKw = depth > 0 ? -depth * battery.ratedKw : plannedKw(battery, energyKwh, moment.hour);
  const leastKw = -energyKwh / hours;
  const mostKw = (battery.capacityKwh - energyKwh) / hours;
  const powerKw = Math.min(mostKw, Math.max(leastKw, wishedKw));
  // Rounding may step over the edge by a hair.
  const after = Math.min(battery.capacityKwh, Math.max(0, energyKwh + powerKw * hours));
  return { powerKw, energyKwh: after };
};

const plannedKw = ({ ratedKw, capacityKwh }: Battery, energyKwh: number, hour: number): number => {
  if (hour < 5) return ratedKw * 0.45;
  const isEvening = hour >= 19 && hour < 21.5;
  return isEvening && energyKwh > capacityKwh * 0.5 ? -ratedKw * 0.3 : 0;
};
