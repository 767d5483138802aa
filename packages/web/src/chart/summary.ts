import { say } from "@curtail/words/page";
import { tenths } from "../format/quantity.js";
import type { PowerChartProps } from "./curve.js";

/** The least, most and last value of each curve, for a screen reader. */
export const summaryOf = ({ label, curves, unit }: Pick<PowerChartProps, "label" | "curves" | "unit">): string => {
  const parts = curves.map((curve) => {
    const present = curve.values.filter((value) => value !== null);
    if (present.length === 0) return say("{curve}: no data", { curve: curve.label });
    const [least, most] = present.reduce(
      ([low, high], v) => [Math.min(low, v), Math.max(high, v)],
      [Infinity, -Infinity],
    );
    return say("{curve}: {least} to {most} {unit}, last {last}", {
      curve: curve.label,
      least: tenths(least),
      most: tenths(most),
      unit,
      last: tenths(present.at(-1) ?? 0),
    });
  });
  return `${label}. ${parts.join("; ")}.`;
};
