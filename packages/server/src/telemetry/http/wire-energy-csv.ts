import { csvText } from "../../platform/files/csv-text.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { MeterEnergy } from "../operations/read-energy.js";

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

/** The pieces as CSV; unknown values are empty. */
export async function* energyCsv(pieces: AsyncIterable<MeterEnergy>): AsyncGenerator<string> {
  yield `${ENERGY_COLUMNS.join(",")}\r\n`;
  for await (const piece of pieces) yield linesOf(piece);
}

const linesOf = ({ meter, sums, charge }: MeterEnergy): string => {
  const named = `${meter.id},${csvText(meter.name)}`;
  let lines = "";
  for (let index = 0; index < sums.present.length; index++) {
    const end = formatTimestamp(sums.endMs(index));
    const known = sums.present[index] === 0 ? "," : `${rounded(sums.meanKw(index))},${rounded(sums.energyKwh(index))}`;
    const chargeKwh = charge?.kwh[index] ?? Number.NaN;
    const charged = Number.isNaN(chargeKwh) ? "" : rounded(chargeKwh);
    lines += `${end},${named},${known},${rounded(sums.coverage(index))},${charged}\r\n`;
  }
  return lines;
};
