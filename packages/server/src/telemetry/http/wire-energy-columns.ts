/** Columns of an energy file, in both of its formats. */
export const ENERGY_COLUMNS = ["timestamp", "meter_id", "meter_name", "power_kw", "energy_kwh", "coverage"] as const;

const DECIMALS = 1e9;

/** Removes the rounding noise of sums, which is far below any meter's precision. */
export const exact = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;
