import type { CurveColour } from "./colours.js";

/** One curve over the chart's timestamps. */
export interface Curve {
  readonly label: string;
  readonly colour: CurveColour;
  /** A gap where there is nothing: null. */
  readonly values: readonly (number | null)[];
  readonly dashed?: boolean;
  readonly hidden?: boolean;
}

/** A moment worth a line, like the start of a dispatch. */
export interface Mark {
  readonly at: string;
  readonly label: string;
}

export interface PowerChartProps {
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  /** Ends of the cells, RFC 3339 or seconds since 1970; all curves have a value, or null, for each. */
  readonly timestamps: readonly (string | number)[];
  readonly curves: readonly Curve[];
  readonly unit: "kW" | "kWh";
  readonly timeZone: string;
  /** Labels of two curves; what lies between them is tinted. */
  readonly band?: readonly [string, string];
  readonly marks?: readonly Mark[];
  readonly heightPx?: number;
  /** Called with a chosen period; without it the chart zooms into its own data. */
  readonly onZoom?: (start: Date, end: Date) => void;
}

export const secondsOf = (at: string | number): number => (typeof at === "number" ? at : Date.parse(at) / 1000);
