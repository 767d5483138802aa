import { foldedIdentifier, type NearMatch, nearName, nearTo } from "../../platform/near-match.js";
import type { Site } from "./site.js";

/** How people tell sites of an account apart. */
export type SiteIdentity = Pick<Site, "name" | "customerLocationId">;

/**
 * The site of an account that a new one may be. Different identifiers distinguish sites of similar names, so names count
 * only where one of both has none.
 */
export const nearSite = (
  { name, customerLocationId }: SiteIdentity,
  sites: readonly SiteIdentity[],
): NearMatch | null => {
  const identifiers = sites.flatMap((site) => site.customerLocationId || []);
  const identifier = customerLocationId === "" ? null : nearTo(foldedIdentifier, identifiers, customerLocationId);
  if (identifier !== null) return { what: "a customer_location_id", text: customerLocationId, other: identifier };
  return nearBySiteName({ name, customerLocationId }, sites);
};

const nearBySiteName = (
  { name, customerLocationId }: SiteIdentity,
  sites: readonly SiteIdentity[],
): NearMatch | null => {
  const named = customerLocationId === "" ? sites : sites.filter((site) => site.customerLocationId === "");
  return nearName(
    name,
    named.map((site) => site.name),
  );
};

/** The other site of an account that a changed one may be. An identifier that did not change was near before. */
export const nearChangedSite = (
  before: SiteIdentity,
  after: SiteIdentity,
  sites: readonly SiteIdentity[],
): NearMatch | null => {
  const isOwn = (each: SiteIdentity) => isSameSite(each, before);
  const others = sites.toSpliced(sites.findIndex(isOwn), sites.some(isOwn) ? 1 : 0);
  if (isSameSite(before, after)) return null;
  return before.customerLocationId === after.customerLocationId
    ? nearBySiteName(after, others)
    : nearSite(after, others);
};

const isSameSite = (one: SiteIdentity, other: SiteIdentity): boolean =>
  one.name === other.name && one.customerLocationId === other.customerLocationId;

/** The other meter of a site that a new name may mean. @param before the name of one that is changed */
export const nearMeter = (name: string, others: readonly string[], before?: string): NearMatch | null =>
  name === before ? null : nearName(name, others);
