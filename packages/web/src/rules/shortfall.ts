import type { operator } from "@curtail/contract";
import { byName } from "../format/name-order.js";
import { statusOrder } from "./status.js";

export type MeasuredSite = operator.OperatorSitePerformance;

/** Power missing to the commitment: now, or on average once the dispatch is over; null if unknown. */
export const shortfallOf = (
  { commitment_kw, latest, mean_reduction_kw }: MeasuredSite,
  isLive: boolean,
): number | null => {
  const delivered = isLive ? (latest?.reduction_kw ?? null) : mean_reduction_kw;
  return commitment_kw === null || delivered === null ? null : commitment_kw - delivered;
};

/** Columns that sites are sorted by. */
const sortable = [
  "name",
  "account",
  "status",
  "recent",
  "delivered",
  "average",
  "commitment",
  "shortfall",
  "load",
  "coverage",
] as const;
export type SortedBy = (typeof sortable)[number];

/** A sorting of the address: `name`, or `-shortfall` for the largest first. */
export interface Sorting {
  readonly by: SortedBy;
  readonly descending: boolean;
}

/** The largest shortfall is first, unless the address says otherwise. */
export const sortingOf = (text: string | undefined, isJudged: boolean): Sorting => {
  const descending = text?.startsWith("-") === true;
  const by = sortable.find((each) => each === (descending ? text?.slice(1) : text));
  if (by !== undefined) return { by, descending };
  return isJudged ? { by: "shortfall", descending: true } : { by: "name", descending: false };
};

/** What a click on a head changes the sorting to: numbers begin with the largest. */
export const nextSorting = (by: SortedBy, now: Sorting): string => {
  const descending = now.by === by ? !now.descending : by !== "name" && by !== "account" && by !== "status";
  return descending ? `-${by}` : by;
};

interface Sorted {
  readonly isLive: boolean;
  readonly accountOf: (id: string) => string;
}

/**
 * Unknown values are last, whichever way; an unknown shortfall comes after known shortfalls and before the others. Equal
 * ones are in the order of their names.
 */
export const sortedSites = (
  sites: readonly MeasuredSite[],
  { by, descending }: Sorting,
  sorted: Sorted,
): MeasuredSite[] => {
  const sign = descending ? -1 : 1;
  const named = (a: MeasuredSite, b: MeasuredSite) => byName(a.name, b.name);
  if (by === "name") return sites.toSorted((a, b) => sign * named(a, b));
  const accountOf = ({ account_id }: MeasuredSite) => sorted.accountOf(account_id);
  if (by === "account") return sites.toSorted((a, b) => sign * byName(accountOf(a), accountOf(b)) || named(a, b));
  const values = new Map(sites.map((site) => [site, valueOf(site, by, sorted.isLive)]));
  return sites.toSorted((a, b) => {
    const [one, other] = [values.get(a) ?? null, values.get(b) ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || named(a, b);
    return sign * (one - other) || named(a, b);
  });
};

const valueOf = (site: MeasuredSite, by: Exclude<SortedBy, "name" | "account">, isLive: boolean): number | null => {
  switch (by) {
    case "status":
      return statusOrder.indexOf(site.status.colour);
    case "recent":
      return site.recent?.performance ?? null;
    case "delivered":
      return site.latest?.reduction_kw ?? null;
    case "average":
      return site.mean_reduction_kw;
    case "commitment":
      return site.commitment_kw;
    case "shortfall":
      return shortfallOf(site, isLive) ?? 0;
    case "load":
      return site.latest?.load_kw ?? null;
    case "coverage":
      return site.coverage;
  }
};

/** The sites before and after one in a list; null at its ends, and if the list does not have it. */
export const neighboursOf = (ids: readonly string[], id: string) => {
  const index = ids.indexOf(id);
  return {
    previous: index <= 0 ? null : (ids[index - 1] ?? null),
    next: index < 0 ? (ids[0] ?? null) : (ids[index + 1] ?? null),
    place: index < 0 ? `${ids.length} in the table` : `${index + 1} of ${ids.length}`,
  };
};
