import type { Hours } from "./hours.js";

/** The portfolio's load is in slots of five minutes. */
export const SLOT_MS = 300_000;
export const SLOTS_PER_HOUR = 12;
/** A meter without a reading counts with the slot before for so many slots: 15 minutes, as for `Load now`. */
const HELD_SLOTS = 3;

export const slotOf = (ms: number): number => Math.floor(ms / SLOT_MS);

export interface LoadSlot {
  readonly kw: number;
  readonly meters: number;
}

interface MeterHour {
  readonly meter: number;
  readonly hour: number;
  /** 30-second intervals; NaN: no reading. */
  readonly cells: Float64Array;
}

/** Sums by slot of five minutes. */
type SlotSums = ReadonlyMap<number, { kw: number; meters: number }>;

export const noSlots = (hours: Hours): SlotSums => {
  const sums = new Map<number, { kw: number; meters: number }>();
  for (let slot = hours.from * SLOTS_PER_HOUR; slot < (hours.to + 1) * SLOTS_PER_HOUR; slot++)
    sums.set(slot, { kw: 0, meters: 0 });
  return sums;
};

/** Adds meters of which these are all rows; hours before `hours` only show what is held. */
export const addToSlots = (sums: SlotSums, rows: readonly MeterHour[], hours: Hours): void => {
  for (const of of byMeter(rows).values()) addMeter(sums, of, hours);
};

const byMeter = (rows: readonly MeterHour[]): ReadonlyMap<number, ReadonlyMap<number, Float64Array>> => {
  const meters = new Map<number, Map<number, Float64Array>>();
  for (const { meter, hour, cells } of rows) {
    const hours = meters.get(meter) ?? new Map<number, Float64Array>();
    meters.set(meter, hours.set(hour, cells));
  }
  return meters;
};

const addMeter = (sums: SlotSums, hoursOf: ReadonlyMap<number, Float64Array>, { from, to }: Hours): void => {
  let [held, age] = [Number.NaN, 0];
  for (let slot = from * SLOTS_PER_HOUR - HELD_SLOTS; slot < (to + 1) * SLOTS_PER_HOUR; slot++) {
    const mean = meanOf(hoursOf.get(Math.floor(slot / SLOTS_PER_HOUR)), slot % SLOTS_PER_HOUR);
    [held, age] = Number.isNaN(mean) ? [held, age + 1] : [mean, 0];
    const sum = sums.get(slot);
    if (sum === undefined || Number.isNaN(held) || age > HELD_SLOTS) continue;
    sum.kw += held;
    sum.meters += 1;
  }
};

/** NaN without a reading. */
const meanOf = (cells: Float64Array | undefined, place: number): number => {
  if (cells === undefined) return Number.NaN;
  const perSlot = cells.length / SLOTS_PER_HOUR;
  let [sum, count] = [0, 0];
  for (let at = place * perSlot; at < (place + 1) * perSlot; at++) {
    const kw = cells[at] ?? Number.NaN;
    if (Number.isNaN(kw)) continue;
    sum += kw;
    count += 1;
  }
  return count === 0 ? Number.NaN : sum / count;
};
