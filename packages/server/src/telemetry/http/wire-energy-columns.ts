/** Columns of a file of energy, in both of its formats. */
export const ENERGY_COLUMNS = ["timestamp", "meter_id", "meter_name", "power_kw", "energy_kwh", "coverage"] as const;

const DECIMALS = 1e9;

/** Without the noise of adding, which is far below what any meter measures. */
export const exact = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;
