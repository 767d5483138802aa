import type { CurveColour } from "./colours.js";

/** One curve over the chart's timestamps. */
export interface Curve {
  readonly label: string;
  readonly colour: CurveColour;
  /** null is drawn as a gap. */
  readonly values: readonly (number | null)[];
  readonly dashed?: boolean;
  readonly hidden?: boolean;
}

/** A moment marked by a vertical line, for example the start of a dispatch. */
export interface Mark {
  readonly at: string;
  readonly label: string;
}

export interface PowerChartProps {
  /** Description for screen readers. */
  readonly label: string;
  /** Ends of the intervals, RFC 3339 or seconds since 1970; each curve has a value or null for each. */
  readonly timestamps: readonly (string | number)[];
  readonly curves: readonly Curve[];
  readonly unit: "kW" | "kWh";
  readonly timeZone: string;
  /** Labels of two curves; the area between them is tinted. */
  readonly band?: readonly [string, string];
  readonly marks?: readonly Mark[];
  readonly heightPx?: number;
  /** Called with the selected period; without it the chart zooms into its own data. */
  readonly onZoom?: (start: Date, end: Date) => void;
}

export const secondsOf = (at: string | number): number => (typeof at === "number" ? at : Date.parse(at) / 1000);
