import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import type { OperatorPerformance } from "../../../live/use-performance.js";
import { isJudged } from "../../../rules/judged.js";
import {
  type MeasuredSite,
  nextSorting,
  type SortedBy,
  type Sorting,
  sortedSites,
  sortingOf,
} from "../../../rules/shortfall.js";
import { useAccountNames } from "../use-accounts.js";

const route = getRouteApi("/operations/dispatches/$id");

export interface SiteList {
  /** As filtered and sorted by the address. */
  readonly found: readonly MeasuredSite[];
  readonly sorting: Sorting;
  readonly status: string;
  readonly search: string;
  readonly accounts: ReadonlyMap<string, string>;
  readonly isLive: boolean;
  readonly judges: boolean;
  readonly change: (search: { status?: string; search?: string }) => void;
  readonly sort: (by: SortedBy) => void;
  /** Opens the drawer of a site; null closes it. */
  readonly open: (siteId: string | null) => void;
}

/** The sites of a dispatch as the address filters and sorts them, so that a link shows the same. */
export const useSiteList = (
  sites: readonly MeasuredSite[],
  state: OperatorPerformance["state"],
  groups: ReadonlyMap<string, string>,
): SiteList => {
  const { status = "", search = "", sort } = route.useSearch();
  const navigate = route.useNavigate();
  const accounts = useAccountNames();
  const judges = isJudged(state);
  const isLive = state === "in_progress" || state === "upcoming";
  const sorting = sortingOf(sort, judges);
  const { by, descending } = sorting;
  const found = useMemo(() => {
    const accountOf = (id: string) => accounts.get(id) ?? "";
    const kept = sites.filter(
      (site) =>
        (status === "" || site.status.colour === status) &&
        textOf(site, [accountOf(site.account_id), groups.get(site.site_id)]).includes(search.trim().toLowerCase()),
    );
    return sortedSites(kept, { by, descending }, { isLive, accountOf });
  }, [sites, status, search, by, descending, accounts, groups, isLive]);
  const go = (next: { status?: string; search?: string; sort?: string; site?: string }) =>
    void navigate({ search: (before) => withoutEmpty({ ...before, ...next }), replace: true, resetScroll: false });
  return {
    found,
    sorting,
    status,
    search,
    accounts,
    isLive,
    judges,
    change: go,
    sort: (column) => go({ sort: nextSorting(column, sorting) }),
    open: (siteId) => go({ site: siteId ?? "" }),
  };
};

const textOf = ({ name, site_id }: MeasuredSite, others: readonly (string | undefined)[]): string =>
  [name, site_id, ...others].join(" ").toLowerCase();

const withoutEmpty = <S extends object>(search: S): S =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== "")) as S;
