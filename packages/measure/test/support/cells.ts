import { cellsOf, flatSeries, type LoadSeries } from "../../src/load-series.js";
import type { SiteTask } from "../../src/site-performance.js";

export const START_MS = Date.parse("2026-06-01T18:00:00Z");

/** First cell of a dispatch that starts at `START_MS`. */
export const FIRST_CELL = START_MS / 30_000 + 1;

/** 30 s cells from the first of the dispatch on; null is a gap. `before` is the cell before the start. */
export const cells = (kw: readonly (number | null)[], before: number | null = null): LoadSeries => ({
  intervalSeconds: 30,
  firstCell: FIRST_CELL - 1,
  values: Float64Array.from([before, ...kw], (value) => value ?? Number.NaN),
});

export const afterSeconds = (seconds: number): number => START_MS + seconds * 1000;

/** A site with a flat baseline of 1,000 kW for two hours from half an hour before the start. */
export const task = ({
  seconds = 600,
  cancelledAfter = null,
  commitmentKw = 300,
}: {
  seconds?: number | null;
  cancelledAfter?: number | null;
  commitmentKw?: number | null;
} = {}): SiteTask => ({
  dispatch: {
    startMs: START_MS,
    endMs: seconds === null ? null : afterSeconds(seconds),
    cancelledMs: cancelledAfter === null ? null : afterSeconds(cancelledAfter),
  },
  baseline: flatSeries(1000, cellsOf({ startMs: afterSeconds(-1800), endMs: afterSeconds(5400) }, 30), 30),
  commitmentKw,
});
