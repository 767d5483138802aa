import { performanceOf } from "./reduction.js";
import type { SitePerformance } from "./site-performance.js";
import { staleAfterSeconds } from "./status.js";

/** One site of a dispatch. */
export interface PortfolioSite {
  readonly commitmentKw: number | null;
  readonly performance: SitePerformance;
  /** Interval of the site's readings. */
  readonly readingSeconds?: number;
}

/** Totals of the sites that have a reduction. */
export interface PortfolioSum {
  readonly sites: number;
  readonly reductionKw: number | null;
  /** Commitments of those sites, which the reduction is compared with. A null counts as 0. */
  readonly commitmentKw: number;
  /** Sum of reductions divided by sum of commitments, over the sites that have both; never a mean of percentages. */
  readonly performance: number | null;
}

/** The metrics of a dispatch, as totals of its sites. */
export interface DispatchPerformance {
  readonly sites: number;
  /** Of all sites, measured or not. */
  readonly commitmentKw: number;
  /** From each site's latest cell, without stale sites. */
  readonly now: PortfolioSum;
  /** From each site's mean to date. */
  readonly toDate: PortfolioSum;
  /** Received divided by expected cells of all sites. */
  readonly coverage: number | null;
  /** Energies are null if they are unknown of every site (M10). */
  readonly deliveredKwh: number | null;
  readonly deliveredFlooredKwh: number | null;
  /** Of the sites with a commitment. */
  readonly deliveredCappedKwh: number | null;
  readonly committedKwh: number | null;
}

interface Share {
  readonly commitmentKw: number | null;
  readonly reductionKw: number | null;
}

/** Adds up the reductions of sites; a site without one is in neither total. */
export const portfolioOf = (shares: readonly Share[]): PortfolioSum => {
  const measured = shares.filter(({ reductionKw }) => reductionKw !== null);
  const committed = measured.filter(({ commitmentKw }) => commitmentKw !== null);
  const reductionOf = (some: readonly Share[]) => sumOf(some, ({ reductionKw }) => reductionKw);
  const commitmentKw = sumOf(committed, (share) => share.commitmentKw);
  return {
    sites: measured.length,
    reductionKw: measured.length === 0 ? null : reductionOf(measured),
    commitmentKw,
    performance: performanceOf(reductionOf(committed), commitmentKw),
  };
};

/** Adds up the sites of a dispatch at `nowMs`, Unix milliseconds. */
export const measureDispatch = (
  sites: readonly PortfolioSite[],
  { nowMs, staleSeconds }: { readonly nowMs: number; readonly staleSeconds: number },
): DispatchPerformance => {
  const totalOf = (valueOf: (toDate: SitePerformance["toDate"]) => number) =>
    sumOf(sites, ({ performance }) => valueOf(performance.toDate));
  const energyOf = (valueOf: (toDate: SitePerformance["toDate"]) => number | null) =>
    sumOfKnown(sites.map(({ performance }) => valueOf(performance.toDate)));
  const cellsExpected = totalOf((toDate) => toDate.cellsExpected);
  return {
    sites: sites.length,
    commitmentKw: sumOf(sites, ({ commitmentKw }) => commitmentKw),
    now: portfolioOf(
      sites.map((site) => ({
        commitmentKw: site.commitmentKw,
        reductionKw: currentReductionKw(site, { nowMs, staleSeconds }),
      })),
    ),
    toDate: portfolioOf(
      sites.map(({ commitmentKw, performance }) => ({
        commitmentKw,
        reductionKw: performance.toDate.meanReductionKw,
      })),
    ),
    coverage: cellsExpected === 0 ? null : totalOf((toDate) => toDate.cellsPresent) / cellsExpected,
    deliveredKwh: energyOf((toDate) => toDate.deliveredKwh),
    deliveredFlooredKwh: energyOf((toDate) => toDate.deliveredFlooredKwh),
    deliveredCappedKwh: energyOf((toDate) => toDate.deliveredCappedKwh),
    committedKwh: energyOf((toDate) => toDate.committedKwh),
  };
};

/** A site's reduction at a moment, Unix milliseconds; null if it is unknown or its newest cell is stale. */
export const currentReductionKw = (
  { performance: { latest }, readingSeconds }: PortfolioSite,
  { nowMs, staleSeconds }: { readonly nowMs: number; readonly staleSeconds: number },
): number | null => {
  const oldestMs = nowMs - staleAfterSeconds(staleSeconds, readingSeconds) * 1000;
  return latest === null || latest.endMs < oldestMs ? null : latest.reductionKw;
};

/** null if every value is. */
const sumOfKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

/** null adds nothing. */
const sumOf = <Item>(items: readonly Item[], valueOf: (item: Item) => number | null): number =>
  items.reduce((sum, item) => sum + (valueOf(item) ?? 0), 0);
