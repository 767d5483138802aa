import { CELL_SECONDS } from "@curtail/measure";
import { expect } from "vitest";
import { CELLS_PER_DAY } from "../../src/telemetry/domain/day-slots.js";
import { decodeDay, encodeDay } from "../../src/telemetry/storage/day-block.js";

export const day = (kwOf: (cell: number) => number): Float64Array =>
  Float64Array.from({ length: CELLS_PER_DAY }, (_, cell) => kwOf(cell));
export const GAP = Number.NaN;

/** Every reading fills its cells; the first ends after `phase` cells. */
export const ofReadings = (seconds: number, kwOf: (reading: number) => number, phase = 0): Float64Array =>
  day((cell) => kwOf(Math.floor((cell - phase) / (seconds / CELL_SECONDS))));

/** A generator of the same numbers in every run. */
export const randoms = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Bytes per reading of a day that comes back with every bit. */
export const bytesPerReading = (cells: Float64Array, readings: number): number => {
  const block = encodeDay(cells);
  const back = decodeDay(block);
  expect(back.length).toBe(CELLS_PER_DAY);
  const wrong = back.findIndex((kw, cell) => !Object.is(kw, cells[cell]));
  expect(wrong, `cell ${wrong}: ${cells[wrong]} became ${back[wrong]}`).toBe(-1);
  return block.length / readings;
};

export const comesBack = (cells: Float64Array): void => void bytesPerReading(cells, 1);
