/** Columns of an energy file, in both of its formats. */
export const ENERGY_COLUMNS = [
  "timestamp",
  "meter_id",
  "meter_name",
  "power_kw",
  "energy_kwh",
  "coverage",
  "charge_kwh",
] as const;
