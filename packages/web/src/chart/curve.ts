import type { ReactNode } from "react";
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

export type GapColour = "gap-bad" | "gap-warn";

/** A chart with its head by the page. */
export interface QuietLook {
  /** The head, which has what can be done with the chart in a menu. */
  readonly head: (items: readonly MenuItem[]) => ReactNode;
  /** On top of the curves: positions by `--from` and `--width`, the left edge and the width of the area of the curves. */
  readonly over?: ReactNode;
}

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
}

/** Room left and right of the curves of a quiet chart, so that what is below it has the same axis. */
export const QUIET_LEFT_PX = 76;
export const QUIET_RIGHT_PX = 20;

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
  /** What the second of two curves lacks to the first, filled in the colour of its priority. */
  readonly gap?: { readonly between: readonly [string, string]; readonly colour: GapColour };
  /** Zoom, table and file are in a menu, and there are no labels of times: the page has its own below. */
  readonly quiet?: QuietLook;
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
