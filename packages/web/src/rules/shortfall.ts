import type { operator } from "@curtail/contract";
import { worstFirst } from "./status.js";

export type Site = operator.OperatorSitePerformance;
export type Sorting = "shortfall" | "status" | "name";

/** What is missing to the commitment: now, or on average when it is over; null where it is not known. */
export const shortfallOf = ({ commitment_kw, latest, mean_reduction_kw }: Site, isLive: boolean): number | null => {
  const delivered = isLive ? (latest?.reduction_kw ?? null) : mean_reduction_kw;
  return commitment_kw === null || delivered === null ? null : commitment_kw - delivered;
};

/** Sites whose shortfall is not known come after those that fall short, and before those that do not. */
export const sortedSites = (sites: readonly Site[], sorting: Sorting, isLive: boolean): Site[] => {
  const byName = (a: Site, b: Site) => a.name.localeCompare(b.name);
  if (sorting === "name") return sites.toSorted(byName);
  if (sorting === "status") return sites.toSorted(worstFirst);
  const shortfalls = new Map(sites.map((site) => [site, shortfallOf(site, isLive) ?? 0]));
  const of = (site: Site) => shortfalls.get(site) ?? 0;
  return sites.toSorted((a, b) => of(b) - of(a) || byName(a, b));
};
