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
