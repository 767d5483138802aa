import { cellCountOf, lastCellOf, type MeterKey } from "@curtail/measure";
import type { Readings } from "../domain/reading.js";
import type { GridReadings } from "./grid-readings.js";

/** An accepted upload; reading `i` belongs to the meter `keys[readings.source[i]]`. */
export interface AdmittedReadings {
  readonly readings: Readings;
  readonly keys: readonly MeterKey[];
  /** Indexes of the sources whose readings in kWh are states of charge. */
  readonly charged: ReadonlySet<number>;
}

/** The powers of an upload on the grid. */
export const powersOf = (admitted: AdmittedReadings): GridReadings => {
  const { readings, charged } = admitted;
  const powers = charged.size === 0 ? null : indexesOf(admitted, false);
  return onGrid(admitted, readings.powerKw, powers);
};

/** The states of charge of an upload on the grid, in kWh; null if it has none. */
export const chargesOf = (admitted: AdmittedReadings): GridReadings | null => {
  const { energyKwh } = admitted.readings;
  const isNone = energyKwh === null || admitted.charged.size === 0;
  return isNone ? null : onGrid(admitted, energyKwh, indexesOf(admitted, true));
};

const indexesOf = ({ readings, charged }: AdmittedReadings, wantsCharge: boolean): Int32Array => {
  const found = new Int32Array(readings.count);
  let length = 0;
  for (let index = 0; index < readings.count; index++)
    if (isCharge(readings, index, charged) === wantsCharge) found[length++] = index;
  return found.subarray(0, length);
};

const isCharge = ({ energyKwh, source }: Readings, index: number, charged: ReadonlySet<number>): boolean =>
  charged.has(source[index] ?? -1) && !Number.isNaN(energyKwh?.[index] ?? Number.NaN);

/** @param chosen indexes of the readings, ascending; null: all */
const onGrid = (
  { readings: { count: all, source, endMs, intervalSeconds }, keys }: AdmittedReadings,
  values: Float64Array,
  chosen: Int32Array | null,
): GridReadings => {
  const count = chosen?.length ?? all;
  const lastCell = new Int32Array(count);
  const cellCount = new Int32Array(count);
  for (let to = 0; to < count; to++) {
    const from = chosen?.[to] ?? to;
    lastCell[to] = lastCellOf(endMs[from] ?? 0);
    cellCount[to] = cellCountOf(intervalSeconds[from] ?? 0);
  }
  const taken = chosen === null ? { source, powerKw: values } : chosenOf(chosen, source, values);
  return { count, keys, ...taken, lastCell, cellCount };
};

const chosenOf = (chosen: Int32Array, source: Int32Array, values: Float64Array) => ({
  source: chosen.map((index) => source[index] ?? -1),
  powerKw: Float64Array.from(chosen, (index) => values[index] ?? Number.NaN),
});
