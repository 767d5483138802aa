import type { MeterKey } from "@curtail/measure";

/** Readings placed on the grid, as columns; reading `i` fills `cellCount[i]` cells up to `lastCell[i]` of meter `keys[source[i]]`. */
export interface GridReadings {
  readonly count: number;
  readonly keys: readonly MeterKey[];
  readonly source: Int32Array;
  readonly lastCell: Int32Array;
  readonly cellCount: Int32Array;
  /** In kW; of states of charge, in kWh. */
  readonly powerKw: Float64Array;
}

/** Those of the meters that `isWanted` accepts, in their order. */
export const readingsOf = (readings: GridReadings, isWanted: (key: MeterKey) => boolean): GridReadings => {
  const { count, keys, source, lastCell, cellCount, powerKw } = readings;
  const kept = keys.filter(isWanted);
  const places = new Map(kept.map((key, place) => [key, place]));
  const placeOf = (index: number): number | undefined => {
    const key = keys[source[index] ?? -1];
    return key === undefined ? undefined : places.get(key);
  };
  const chosen = Array.from({ length: count }, (_, index) => index).filter((index) => placeOf(index) !== undefined);
  return {
    count: chosen.length,
    keys: kept,
    source: Int32Array.from(chosen, (index) => placeOf(index) ?? -1),
    lastCell: Int32Array.from(chosen, (index) => lastCell[index] ?? 0),
    cellCount: Int32Array.from(chosen, (index) => cellCount[index] ?? 0),
    powerKw: Float64Array.from(chosen, (index) => powerKw[index] ?? Number.NaN),
  };
};
