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

/** Sums over the sites that have a reduction. */
export interface PortfolioSum {
  readonly sites: number;
  readonly reductionKw: number | null;
  /** Commitments of those sites: what the reduction is compared to. A null counts as none. */
  readonly commitmentKw: number;
  /** Sum of reductions ÷ sum of commitments, over the sites that have both; never a mean of percentages. */
  readonly performance: number | null;
}

/** The metrics of a dispatch, as sums over its sites. */
export interface DispatchPerformance {
  readonly sites: number;
  /** Of all sites, measured or not. */
  readonly commitmentKw: number;
  /** By each site's latest cell, without sites whose latest is stale. */
  readonly now: PortfolioSum;
  /** By each site's mean to date. */
  readonly toDate: PortfolioSum;
  /** Present ÷ expected over the cells of all sites. */
  readonly coverage: number | null;
  readonly deliveredKwh: number;
  readonly deliveredFlooredKwh: number;
  /** Of the sites with a commitment. */
  readonly deliveredCappedKwh: number;
  readonly committedKwh: number;
}

interface Share {
  readonly commitmentKw: number | null;
  readonly reductionKw: number | null;
}

/** Sums what sites reduce; a site without a reduction is left out of both sums. */
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

/** Sums the sites of a dispatch at `nowMs`, Unix milliseconds. */
export const measureDispatch = (
  sites: readonly PortfolioSite[],
  { nowMs, staleSeconds }: { readonly nowMs: number; readonly staleSeconds: number },
): DispatchPerformance => {
  const totalOf = (valueOf: (toDate: SitePerformance["toDate"]) => number | null) =>
    sumOf(sites, ({ performance }) => valueOf(performance.toDate));
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
    deliveredKwh: totalOf((toDate) => toDate.deliveredKwh),
    deliveredFlooredKwh: totalOf((toDate) => toDate.deliveredFlooredKwh),
    deliveredCappedKwh: totalOf((toDate) => toDate.deliveredCappedKwh),
    committedKwh: totalOf((toDate) => toDate.committedKwh),
  };
};

/** What a site reduces at a moment, Unix milliseconds; null where it is not known, or its newest cell is stale. */
export const currentReductionKw = (
  { performance: { latest }, readingSeconds }: PortfolioSite,
  { nowMs, staleSeconds }: { readonly nowMs: number; readonly staleSeconds: number },
): number | null => {
  const oldestMs = nowMs - staleAfterSeconds(staleSeconds, readingSeconds) * 1000;
  return latest === null || latest.endMs < oldestMs ? null : latest.reductionKw;
};

/** Null adds nothing. */
const sumOf = <Item>(items: readonly Item[], valueOf: (item: Item) => number | null): number =>
  items.reduce((sum, item) => sum + (valueOf(item) ?? 0), 0);
