import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { nextSorting, type SortedBy, type Sorting, sortedSites, sortingOf } from "../../../rules/shortfall.js";
import type { SiteRow } from "../../../rules/site-row.js";
import { useOpenedInAddress } from "../../../ui/use-opened-in-address.js";
import { useAccountNames } from "../use-accounts.js";

const route = getRouteApi("/operations/dispatches/$id");

export interface SiteList {
  /** As filtered and sorted by the address. */
  readonly found: readonly SiteRow[];
  readonly sorting: Sorting;
  /** A state of sites; empty: all. */
  readonly status: string;
  readonly search: string;
  readonly accounts: ReadonlyMap<string, string>;
  readonly judges: boolean;
  readonly change: (search: { status?: string; search?: string }) => void;
  readonly sort: (by: SortedBy) => void;
  /** Opens the drawer of a site; null closes it. */
  readonly open: (siteId: string | null) => void;
}

interface Of {
  readonly judges: boolean;
  /** Groups of sites by their ids. */
  readonly groups: ReadonlyMap<string, string>;
}

/** The sites of a dispatch as the address filters and sorts them, so that a link shows the same. */
export const useSiteList = (rows: readonly SiteRow[], { judges, groups }: Of): SiteList => {
  const { status = "", search = "", sort, site } = route.useSearch();
  const navigate = route.useNavigate();
  const accounts = useAccountNames();
  const sorting = sortingOf(sort, judges);
  const { by, descending } = sorting;
  const found = useMemo(() => {
    const accountOf = (id: string) => accounts.get(id) ?? "";
    const words = search.trim().toLowerCase();
    const kept = rows.filter(
      (site) =>
        (status === "" || !judges || site.state === status) &&
        (words === "" || textOf(site, [accountOf(site.account_id), groups.get(site.site_id)]).includes(words)),
    );
    return sortedSites(kept, { by, descending }, accountOf);
  }, [rows, status, search, by, descending, accounts, groups, judges]);
  const go = (next: { status?: string; search?: string; sort?: string; site?: string }, move: object = {}) =>
    void navigate({
      search: (before) => withoutEmpty({ ...before, ...next }),
      replace: true,
      resetScroll: false,
      ...move,
    });
  const open = useOpenedInAddress(site, (next, move) => go({ site: next ?? "" }, move));
  return {
    found,
    sorting,
    status,
    search,
    accounts,
    judges,
    change: go,
    sort: (column) => go({ sort: nextSorting(column, sorting) }),
    open,
  };
};

const textOf = ({ name, site_id }: SiteRow, others: readonly (string | undefined)[]): string =>
  [name, site_id, ...others].join(" ").toLowerCase();

const withoutEmpty = <S extends object>(search: S): S =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== "")) as S;
