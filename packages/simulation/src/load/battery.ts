import type { Moment } from "./moment.js";

export interface Battery {
  readonly ratedKw: number;
  readonly capacityKwh: number;
}

/** What a battery did in an interval; discharging is negative, as for every meter. */
export interface BatteryStep {
  readonly powerKw: number;
  /** Stored energy afterwards. */
  readonly energyKwh: number;
}

interface Interval {
  readonly moment: Moment;
  readonly hours: number;
  /** 0 to 1: how deeply it is dispatched. */
  readonly depth: number;
}

/** Discharges when dispatched, shaves the evening peak, and charges at night; its energy never falls below zero. */
export const batteryStep = (battery: Battery, energyKwh: number, { moment, hours, depth }: Interval): BatteryStep => {
  const wishedKw = depth > 0 ? -depth * battery.ratedKw : plannedKw(battery, energyKwh, moment.hour);
  const leastKw = -energyKwh / hours;
  const mostKw = (battery.capacityKwh - energyKwh) / hours;
  const powerKw = Math.min(mostKw, Math.max(leastKw, wishedKw));
  // Rounding may exceed the range slightly.
  const after = Math.min(battery.capacityKwh, Math.max(0, energyKwh + powerKw * hours));
  return { powerKw, energyKwh: after };
};

const plannedKw = ({ ratedKw, capacityKwh }: Battery, energyKwh: number, hour: number): number => {
  if (hour < 5) return ratedKw * 0.45;
  const isEvening = hour >= 19 && hour < 21.5;
  return isEvening && energyKwh > capacityKwh * 0.5 ? -ratedKw * 0.3 : 0;
};
