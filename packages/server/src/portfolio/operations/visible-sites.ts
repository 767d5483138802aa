import type { Caller } from "../../access/operations/caller.js";
import { notFound, type Result } from "../../platform/refusal.js";
import { notDisplayed, type Site } from "../domain/site.js";
import type { PortfolioStores, SiteStore } from "./portfolio-stores.js";

/** Who views measured data: an operator, or a participant's system or user. */
export type Viewer = "operators" | Pick<Caller, "accountId" | "sees">;

declare const checked: unique symbol;

/** Measured data that the viewer may see. Only this file creates it, and replies accept nothing else. */
export type Visible<T> = T & { readonly [checked]: true };

const visible = <T>(data: T): Visible<T> => data as Visible<T>;

/** Operators see every site, systems those of their account, people only the displayed ones of their account. */
export const seesDataOf = (
  viewer: Viewer,
  { accountId, displayedSince }: Pick<Site, "accountId" | "displayedSince">,
): boolean =>
  viewer === "operators" ||
  (viewer.accountId === accountId && (viewer.sees === "own sites" || displayedSince !== null));

/** Data of a site; null if the viewer may not see it. */
export const visibleData = <T>(
  viewer: Viewer,
  site: Pick<Site, "accountId" | "displayedSince">,
  data: T,
): Visible<T> | null => (seesDataOf(viewer, site) ? visible(data) : null);

/** A site and its owner. */
export interface OwnedSite {
  readonly siteId: string;
  readonly accountId: string;
}

/** The sites whose data a viewer may see now. */
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

/** Finds a site whose data is requested. Its owner learns what is missing; for others it does not exist (G4). */
export const findVisibleSite = async (
  { sites }: Pick<PortfolioStores, "sites">,
  id: string,
  viewer: Viewer,
): Promise<Result<Visible<Site>>> => {
  const site = await sites.find(id, viewer === "operators" ? null : viewer.accountId);
  if (site === null) return notFound("site");
  return seesDataOf(viewer, site) ? visible(site) : notDisplayed();
};

/** Data of one site; refused if the site is not visible. */
export const visibleDataOf = <T>(site: OwnedSite, data: T, sites: VisibleSites): Result<Visible<T>> =>
  sites.has(site) ? visible(data) : notDisplayed();

interface DataOfSites<T> {
  readonly data: T;
  /** The sites of the data. */
  readonly of: readonly OwnedSite[];
  /** Leaves out sites that are not visible; `isSeen` has the order of `of`. */
  readonly keep: (isSeen: readonly boolean[]) => T;
}

/** Data of several sites: unchanged if all are visible, otherwise without the others. */
export const visiblePart = <T>({ data, of, keep }: DataOfSites<T>, sites: VisibleSites): Visible<T> => {
  const isSeen = of.map((site) => sites.has(site));
  return visible(isSeen.includes(false) ? keep(isSeen) : data);
};

/** The same of data that lists its sites. */
export const visibleSitesOf = <T extends { readonly sites: readonly OwnedSite[] }>(
  data: T,
  visible: VisibleSites,
): Visible<T> => {
  const keep = (isSeen: readonly boolean[]) => ({ ...data, sites: data.sites.filter((_site, index) => isSeen[index]) });
  return visiblePart({ data, of: data.sites, keep }, visible);
};

/** Data that is summed up from the visible sites alone: `sumOf` takes no other. */
export const visibleSum = async <T>(
  sites: VisibleSites,
  sumOf: (isCounted: (site: OwnedSite) => boolean) => Promise<T>,
): Promise<Visible<T>> => visible(await sumOf((site) => sites.has(site)));

/** Data of all sites, only for operators. */
export const visibleToOperators = <T>(data: T): Visible<T> => visible(data);

/** Data of simulated sites. */
export const madeUp = <T>(data: T): Visible<T> => visible(data);
