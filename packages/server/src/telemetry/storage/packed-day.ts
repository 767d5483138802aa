import { CELLS_PER_HOUR, type HourRow, type MeterKey } from "@curtail/measure";
import { DamagedDay, decodeDay } from "./day-block.js";

const HOURS_PER_DAY = 24;

/** A day (UTC) of a meter, with all its cells. */
export interface MeterDayCells extends MeterKey {
  /** Days since 1970. */
  readonly day: number;
  readonly cells: Float64Array;
}

export const dayOfHour = (hour: number): number => Math.floor(hour / HOURS_PER_DAY);

/** @param block in base64 */
export const unpackedDay = (key: MeterKey, day: number, block: string): MeterDayCells => {
  try {
    return { ...key, day, cells: decodeDay(Buffer.from(block, "base64")) };
  } catch (error) {
    throw error instanceof DamagedDay ? new DamagedDay(`meter ${key.meter}, day ${day}`, error) : error;
  }
};

/** Replaces the cells that the hour fills. */
export const layHour = ({ day, cells }: MeterDayCells, row: HourRow): void => {
  const first = (row.hour - day * HOURS_PER_DAY) * CELLS_PER_HOUR;
  for (let place = 0; place < CELLS_PER_HOUR; place++) {
    const kw = row.cells[place] ?? Number.NaN;
    if (!Number.isNaN(kw)) cells[first + place] = kw;
  }
};

/** The hours of a day that have a reading, which share its memory. */
export const hoursOfDay = ({ site, meter, day, cells }: MeterDayCells): HourRow[] => {
  const rows = Array.from({ length: HOURS_PER_DAY }, (_, nth) => ({
    site,
    meter,
    hour: day * HOURS_PER_DAY + nth,
    cells: cells.subarray(nth * CELLS_PER_HOUR, (nth + 1) * CELLS_PER_HOUR),
  }));
  return rows.filter((row) => row.cells.some((kw) => !Number.isNaN(kw)));
};

/** Bit 0 is the first hour of the day. */
export const hourBits = (day: MeterDayCells): number =>
  hoursOfDay(day).reduce((bits, { hour }) => bits | (1 << (hour - day.day * HOURS_PER_DAY)), 0);
