import { isRefusal, notFound, type Result } from "../domain/refusal.js";
import { notDisplayed, type Site } from "../domain/site.js";
import type { Caller } from "./caller.js";
import { type DispatchReport, reportOf, type SiteReport } from "./measure-dispatch.js";
import type { PortfolioStores } from "./portfolio-stores.js";
import { isPreparing, type Looked } from "./preparing.js";
import type { MeterPoints, TelemetryAnswer } from "./read-telemetry.js";
import type { SiteStore } from "./site-ports.js";
import type { SiteSummary } from "./site-summary.js";

/** Who looks at what sites measured: an operator, or a system or a person of a participant. */
export type Viewer = "operators" | Pick<Caller, "accountId" | "sees">;

declare const checked: unique symbol;

/** Measured data that the viewer may see. Only this file makes it, and replies are written of nothing else. */
export type Visible<T> = T & { readonly [checked]: true };

const visible = <T>(data: T): Visible<T> => data as Visible<T>;

/** Operators see every site, systems those of their account, people those that are displayed besides. */
export const seesDataOf = (
  viewer: Viewer,
  { accountId, displayedSince }: Pick<Site, "accountId" | "displayedSince">,
): boolean =>
  viewer === "operators" ||
  (viewer.accountId === accountId && (viewer.sees === "own sites" || displayedSince !== null));

/** Data of a site; null where the viewer does not see it. */
export const visibleData = <T>(
  viewer: Viewer,
  site: Pick<Site, "accountId" | "displayedSince">,
  data: T,
): Visible<T> | null => (seesDataOf(viewer, site) ? visible(data) : null);

/** The sites whose data a viewer sees, as of now. */
export interface VisibleSites {
  has(site: { readonly siteId: string; readonly accountId: string }): boolean;
}

export const sitesVisibleTo = async (sites: Pick<SiteStore, "displayed">, viewer: Viewer): Promise<VisibleSites> => {
  if (viewer === "operators") return { has: () => true };
  const displayed = viewer.sees === "own sites" ? null : await sites.displayed(viewer.accountId);
  return {
    has: ({ siteId, accountId }) => accountId === viewer.accountId && (displayed === null || displayed.has(siteId)),
  };
};

/** A site whose data is asked for. Whoever owns it is told what is missing; to others it does not exist (G4). */
export const findVisibleSite = async (
  { sites }: Pick<PortfolioStores, "sites">,
  id: string,
  viewer: Viewer,
): Promise<Result<Visible<Site>>> => {
  const site = await sites.find(id, viewer === "operators" ? null : viewer.accountId);
  if (site === null) return notFound("site");
  return seesDataOf(viewer, site) ? visible(site) : notDisplayed();
};

/** A report of the sites that are visible, with their own sums. */
export const visibleReport = <S extends SiteSummary>(
  report: DispatchReport<S>,
  sites: VisibleSites,
): Visible<DispatchReport<S>> => {
  const seen = report.sites.filter((site) => sites.has(site));
  return visible(seen.length === report.sites.length ? report : reportOf(report.dispatch, seen, report));
};

export const visibleSiteReport = (report: SiteReport, sites: VisibleSites): Result<Visible<SiteReport>> =>
  sites.has(report.site) ? visible(report) : notDisplayed();

/** Applies one of these to what a look came to. */
export const lookedAt = <T, V>(looked: Looked<T>, see: (report: T) => Result<V>): Looked<V> =>
  isRefusal(looked) || isPreparing(looked) ? looked : see(looked);

/** The answer to an account, without the points of sites that are not visible: their meters stay. */
export const visibleTelemetry = (
  answer: TelemetryAnswer,
  accountId: string,
  sites: VisibleSites,
): Visible<TelemetryAnswer> => {
  const isSeen = answer.sites.map(({ siteId }) => sites.has({ siteId, accountId }));
  return visible(isSeen.includes(false) ? { ...answer, pieces: onlySeen(answer.pieces, isSeen) } : answer);
};

async function* onlySeen(pieces: AsyncIterable<MeterPoints>, isSeen: readonly boolean[]): AsyncGenerator<MeterPoints> {
  for await (const piece of pieces) if (isSeen[piece.site] === true) yield piece;
}

/** Data of all sites, for operators alone. */
export const visibleToOperators = <T>(data: T): Visible<T> => visible(data);

/** Data of no real site. */
export const madeUp = <T>(data: T): Visible<T> => visible(data);
