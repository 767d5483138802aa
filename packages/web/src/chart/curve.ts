import type { CurveColour } from "./colours.js";
import type { TimeRange } from "./zoom.js";

/** One curve over the chart's timestamps. */
export interface Curve {
  readonly label: string;
  readonly colour: CurveColour;
  /** null is drawn as a gap. */
  readonly values: readonly (number | null)[];
  readonly dashed?: boolean;
  readonly hidden?: boolean;
  /** What is special about each value, for example `late`; null: nothing. */
  readonly quality?: readonly (string | null)[];
  /** Measured values: missing ones are hatched and stated in words. */
  readonly measured?: boolean;
}

/** A moment marked by a vertical line, for example the start of a dispatch. */
export interface Mark {
  readonly at: string;
  readonly label: string;
}

/** A period that is shaded behind the curves, for example a dispatch. */
export interface Span {
  readonly start: string;
  /** null: no end set yet. */
  readonly end: string | null;
  readonly label: string;
  /** Address of a page about it. */
  readonly to?: string;
}

/** A zoom that is kept outside of the chart. */
export interface KeptZoom {
  /** null: all of it. */
  readonly range: TimeRange | null;
  readonly change: (range: TimeRange | null) => void;
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
  readonly spans?: readonly Span[];
  readonly heightPx?: number;
  /** Nothing to operate: without zoom buttons, table and download. */
  readonly plain?: boolean;
  /** What a downloaded file is called, before the day. Default: the label. */
  readonly fileName?: string;
  /** Where the zoom is kept, for example in the address. Default: in the chart. */
  readonly zoom?: KeptZoom;
  /** Called with the selected period, which the page then loads; without it the chart zooms into its own data. */
  readonly onZoom?: (start: Date, end: Date) => void;
  /** Shows the whole period again after `onZoom`; absent while it is shown. */
  readonly onZoomReset?: () => void;
}

export const secondsOf = (at: string | number): number => (typeof at === "number" ? at : Date.parse(at) / 1000);
