import { say } from "@curtail/words/page";
import { byName } from "../format/name-order.js";
import { type SiteRow, siteStates } from "./site-row.js";

/** Columns that sites are sorted by. */
const sortable = ["name", "account", "status", "delivered", "share", "shortfall", "reading"] as const;
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

const bySiteName = (a: SiteRow, b: SiteRow): number => byName(a.name, b.name);

/**
 * Unknown values are last, whichever way. A site without readings lacks all of its commitment. Equal ones are in the order of
 * their names.
 */
export const sortedSites = (
  sites: readonly SiteRow[],
  { by, descending }: Sorting,
  accountOf: (id: string) => string,
): SiteRow[] => {
  const sign = descending ? -1 : 1;
  if (by === "name") return sites.toSorted((a, b) => sign * bySiteName(a, b));
  if (by === "account")
    return sites.toSorted(
      (a, b) => sign * byName(accountOf(a.account_id), accountOf(b.account_id)) || bySiteName(a, b),
    );
  return sites.toSorted((a, b) => {
    const [one, other] = [valueOf(a, by), valueOf(b, by)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || bySiteName(a, b);
    return sign * (one - other) || bySiteName(a, b);
  });
};

const valueOf = (site: SiteRow, by: Exclude<SortedBy, "name" | "account">): number | null => {
  switch (by) {
    case "status":
      return siteStates.indexOf(site.state);
    case "delivered":
      return site.delivered_kw;
    case "share":
      return shareOf(site);
    case "shortfall":
      return site.short_kw;
    case "reading":
      return site.reading_at === null ? null : Date.parse(site.reading_at);
  }
};

/** Delivered of committed; null if that is unknown. */
export const shareOf = ({ delivered_kw, commitment_kw }: SiteRow): number | null =>
  delivered_kw === null || commitment_kw === null || commitment_kw === 0 ? null : delivered_kw / commitment_kw;

/** The sites before and after one in a list; null at its ends, and if the list does not have it. */
export const neighboursOf = (ids: readonly string[], id: string) => {
  const index = ids.indexOf(id);
  return {
    previous: index <= 0 ? null : (ids[index - 1] ?? null),
    next: index < 0 ? (ids[0] ?? null) : (ids[index + 1] ?? null),
    place:
      index < 0 ? say("{n} in the table", { n: ids.length }) : say("{n} of {all}", { n: index + 1, all: ids.length }),
  };
};
