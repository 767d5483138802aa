import type { Caller } from "../../access/operations/caller.js";
import { notFound, type Result } from "../../platform/refusal.js";
import { notDisplayed, type Site } from "../domain/site.js";
import type { PortfolioStores } from "./portfolio-stores.js";
import type { SiteStore } from "./site-ports.js";

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

/** A site, and whose it is. */
export interface OwnedSite {
  readonly siteId: string;
  readonly accountId: string;
}

/** The sites whose data a viewer sees, as of now. */
export interface VisibleSites {
  has(site: OwnedSite): boolean;
}

export const sitesVisibleTo = async (sites: Pick<SiteStore, "displayed">, viewer: Viewer): Promise<VisibleSites> => {
  if (viewer === "operators") return { has: () => true };
  const displayed = viewer.sees === "own sites" ? null : await sites.displayed(viewer.accountId);
  return {
    has: ({ siteId, accountId }) => accountId === viewer.accountId && (displayed === null || displayed.has(siteId)),
  };
};

/** A site whose data is asked for. Its owner learns what is missing; for others it does not exist (G4). */
export const findVisibleSite = async (
  { sites }: Pick<PortfolioStores, "sites">,
  id: string,
  viewer: Viewer,
): Promise<Result<Visible<Site>>> => {
  const site = await sites.find(id, viewer === "operators" ? null : viewer.accountId);
  if (site === null) return notFound("site");
  return seesDataOf(viewer, site) ? visible(site) : notDisplayed();
};

/** Data of one site; refused where the site is not visible. */
export const visibleDataOf = <T>(site: OwnedSite, data: T, sites: VisibleSites): Result<Visible<T>> =>
  sites.has(site) ? visible(data) : notDisplayed();

interface DataOfSites<T> {
  readonly data: T;
  /** The sites it is about. */
  readonly of: readonly OwnedSite[];
  /** Leaves out the sites that are not visible; `isSeen` has the order of `of`. */
  readonly keep: (isSeen: readonly boolean[]) => T;
}

/** Data of several sites: unchanged where all are visible, otherwise without the others. */
export const visiblePart = <T>({ data, of, keep }: DataOfSites<T>, sites: VisibleSites): Visible<T> => {
  const isSeen = of.map((site) => sites.has(site));
  return visible(isSeen.includes(false) ? keep(isSeen) : data);
};

/** Data of all sites, for operators alone. */
export const visibleToOperators = <T>(data: T): Visible<T> => visible(data);

/** Data of no real site. */
export const madeUp = <T>(data: T): Visible<T> => visible(data);
