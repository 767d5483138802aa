import { CELL_SECONDS } from "@curtail/measure";
import type { DispatchTracker } from "../../performance/operations/live/dispatch-tracker.js";
import type { LivePerformance } from "../../performance/operations/live/live-performance.js";
import type { DispatchReport } from "../../performance/operations/measure-dispatch.js";
import { curveFor, type PortfolioCell } from "../../performance/operations/portfolio-curve.js";
import type { SiteNumbers, SiteSummary } from "../../performance/operations/site-summary.js";
import { turns } from "../../platform/turns.js";
import { type ShortCurve, shortCurve, trendKw } from "../domain/short-curve.js";

type Colour = SiteSummary["status"]["colour"];

/** What a dispatch delivers; null while it is not known. */
export interface DeliveredNow {
  readonly deliveredKw: number | null;
  readonly sitesMeasured: number | null;
  readonly sitesByStatus: Readonly<Record<Colour, number>> | null;
  readonly trendKw: number | null;
  readonly curve: ShortCurve | null;
}

export const NOTHING_KNOWN: DeliveredNow = {
  deliveredKw: null,
  sitesMeasured: null,
  sitesByStatus: null,
  trendKw: null,
  curve: null,
};

/** A line as wide as a row of the board has room for no more. */
const MOST_POINTS = 60;

/** As far as that is available without waiting for readings. */
export const deliveredAtHand = async (live: LivePerformance, dispatchId: string): Promise<DeliveredNow> => {
  const tracker = live.trackerNow(dispatchId);
  if (tracker === null) return NOTHING_KNOWN;
  const report = tracker.report();
  const { now } = report.totals;
  const cells = await cellsOf(tracker, report);
  const untilMs = report.measuredUntilMs;
  return {
    deliveredKw: now.reductionKw,
    sitesMeasured: now.sites,
    sitesByStatus: countStatuses(report.sites),
    trendKw: trendKw(cells, untilMs),
    curve: shortCurve(cells, {
      startMs: report.dispatch.startMs,
      untilMs,
      cellMs: CELL_SECONDS * 1000,
      mostPoints: MOST_POINTS,
    }),
  };
};

interface Kept {
  readonly asOfMs: number;
  readonly cells: Promise<readonly PortfolioCell[]>;
}

/** Curves are added up again once a cell at most, however many boards are open. */
const kept = new WeakMap<DispatchTracker, Kept>();

/** The curve of all sites of a dispatch. */
export const cellsOf = (
  tracker: DispatchTracker,
  report: DispatchReport<SiteNumbers>,
): Promise<readonly PortfolioCell[]> => {
  const known = kept.get(tracker);
  if (known !== undefined && Math.abs(report.asOfMs - known.asOfMs) < CELL_SECONDS * 1000) return known.cells;
  const cells = addedUp(report);
  kept.set(tracker, { asOfMs: report.asOfMs, cells });
  return cells;
};

const addedUp = async (report: DispatchReport<SiteNumbers>): Promise<readonly PortfolioCell[]> => {
  const othersTurn = turns();
  const curve = curveFor(report);
  for (const site of report.sites) {
    curve.add(site);
    await othersTurn();
  }
  return curve.result();
};

const countStatuses = (sites: readonly SiteSummary[]): Record<Colour, number> => {
  const counts: Record<Colour, number> = { red: 0, amber: 0, green: 0, blue: 0, grey: 0 };
  for (const { status } of sites) counts[status.colour] += 1;
  return counts;
};
