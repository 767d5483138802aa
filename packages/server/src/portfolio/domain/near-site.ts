import { foldedIdentifier, foldedName, type NearMatch, nearTo } from "../../platform/near-match.js";
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
  const named = customerLocationId === "" ? sites : sites.filter((site) => site.customerLocationId === "");
  const names = named.map((site) => site.name);
  const other = nearTo(foldedName, names, name);
  return other === null ? null : { what: "a name", text: name, other };
};
