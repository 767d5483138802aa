import type { HourRow } from "@curtail/measure";

export const rowsByMeter = <R extends HourRow>(rows: readonly R[]): ReadonlyMap<number, R[]> => {
  const byMeter = new Map<number, R[]>();
  for (const row of rows) {
    const known = byMeter.get(row.meter);
    if (known === undefined) byMeter.set(row.meter, [row]);
    else known.push(row);
  }
  return byMeter;
};
