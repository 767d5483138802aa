import type { operator } from "@curtail/contract";
import { worstFirst } from "./status.js";

export type Site = operator.OperatorSitePerformance;
export type Sorting = "shortfall" | "status" | "name";

/** Power missing to the commitment: now, or on average once the dispatch is over; null if unknown. */
export const shortfallOf = ({ commitment_kw, latest, mean_reduction_kw }: Site, isLive: boolean): number | null => {
  const delivered = isLive ? (latest?.reduction_kw ?? null) : mean_reduction_kw;
  return commitment_kw === null || delivered === null ? null : commitment_kw - delivered;
};

/** Sites with an unknown shortfall come after those that fall short and before the others. */
export const sortedSites = (sites: readonly Site[], sorting: Sorting, isLive: boolean): Site[] => {
  const byName = (a: Site, b: Site) => a.name.localeCompare(b.name);
  if (sorting === "name") return sites.toSorted(byName);
  if (sorting === "status") return sites.toSorted(worstFirst);
  const shortfalls = new Map(sites.map((site) => [site, shortfallOf(site, isLive) ?? 0]));
  const of = (site: Site) => shortfalls.get(site) ?? 0;
  return sites.toSorted((a, b) => of(b) - of(a) || byName(a, b));
};
