import type { PowerChartProps } from "./curve.js";

/** The least, most and last value of each curve, for a screen reader. */
export const summaryOf = ({ label, curves, unit }: Pick<PowerChartProps, "label" | "curves" | "unit">): string => {
  const parts = curves.map((curve) => {
    const present = curve.values.filter((value) => value !== null);
    if (present.length === 0) return `${curve.label}: no data`;
    const [least, most] = present.reduce(
      ([low, high], v) => [Math.min(low, v), Math.max(high, v)],
      [Infinity, -Infinity],
    );
    return `${curve.label}: ${least.toFixed(1)} to ${most.toFixed(1)} ${unit}, last ${present.at(-1)?.toFixed(1)}`;
  });
  return `${label}. ${parts.join("; ")}.`;
};
