import { integer, nullable, number, ratio } from "../values.js";

// The names of members say "cell" for an interval of 30 s; they are part of the interface.
export const kw = (description: string, example: number) => nullable(number(`${description}, in kW.`, example));
export const nullableRatio = (description: string, example: number) => nullable(ratio(`${description}.`, example));
const kwh = (description: string, example: number) => number(`${description}, in kWh.`, example);
export const nullableKwh = (description: string, example: number) => nullable(kwh(description, example));
export const seconds = (description: string, example: number) =>
  nullable(number(`${description}, in seconds.`, example));

export const expected = integer("30-second intervals expected.", 120);
export const received = integer("30-second intervals received.", 118);
export const coverage = nullableRatio("Received intervals divided by expected intervals", 0.983);

/** Energies that a site and the totals have. */
export const energies = {
  delivered_energy_kwh: nullableKwh("Delivered energy: sum of the reductions; null if nothing was received", 244),
  delivered_energy_floored_kwh: nullableKwh("Delivered energy, with intervals below 0 counted as 0", 244),
};
