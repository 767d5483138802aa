import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { count, percent, power } from "../../../format/quantity.js";
import type { OperatorPerformance } from "../../../live/use-performance.js";
import { StatusBadge } from "../../../parts/status-badge.js";
import { isJudged } from "../../../rules/judged.js";
import { type Site, type Sorting, shortfallOf, sortedSites } from "../../../rules/shortfall.js";
import { Card } from "../../../ui/card.js";
import { ShowRest, useShownPart } from "../../../ui/shown-part.js";
import { type Column, Table } from "../../../ui/table.js";
import { useAccountNames } from "../use-accounts.js";
import { type SiteFilter, SiteFilters } from "./site-filters.js";

const route = getRouteApi("/operations/dispatches/$id");

/** All sites of the dispatch, those that fall short first. */
export const SiteTable = ({
  sites,
  state,
  groups,
  chosen,
}: {
  readonly sites: readonly Site[];
  readonly state: OperatorPerformance["state"];
  readonly groups: ReadonlyMap<string, string>;
  readonly chosen: string | null;
}) => {
  const [filter, setFilter] = useState<SiteFilter>({ status: "", search: "" });
  const [sorting, setSorting] = useState<Sorting>("shortfall");
  const accounts = useAccountNames();
  const judges = isJudged(state);
  const isLive = state === "in_progress" || state === "upcoming";
  const found = useMemo(() => {
    const wanted = filter.search.trim().toLowerCase();
    const textOf = (site: Site) =>
      `${site.name} ${accounts.get(site.account_id) ?? ""} ${groups.get(site.site_id) ?? ""} ${site.site_id}`.toLowerCase();
    const kept = sites.filter(
      (site) => (filter.status === "" || site.status.colour === filter.status) && textOf(site).includes(wanted),
    );
    return sortedSites(kept, judges ? sorting : "name", isLive);
  }, [sites, filter, sorting, accounts, groups, isLive, judges]);
  const part = useShownPart(found);
  return (
    <Card title={`Sites (${count(sites.length)})`} flush>
      <SiteFilters {...{ sites, filter, sorting }} isJudged={judges} onFilter={setFilter} onSort={setSorting} />
      <Table<Site>
        label="Sites of the dispatch"
        rows={part.shown}
        keyOf={({ site_id }) => site_id}
        empty="No matching sites."
        columns={columnsOf({ accounts, chosen, isLive, judges })}
      />
      <ShowRest of={part} />
    </Card>
  );
};

interface Shown {
  readonly accounts: ReadonlyMap<string, string>;
  readonly chosen: string | null;
  readonly isLive: boolean;
  readonly judges: boolean;
}

const columnsOf = (shown: Shown): readonly Column<Site>[] => [
  {
    head: "Site",
    cell: (site) => <SiteName site={site} isChosen={site.site_id === shown.chosen} judges={shown.judges} />,
  },
  { head: "Account", wide: true, cell: ({ account_id }) => shown.accounts.get(account_id) ?? account_id },
  ...(shown.judges ? judgingColumns(shown) : unjudgedColumns),
];

const unjudgedColumns: readonly Column<Site>[] = [
  { head: "Average delivered", number: true, cell: ({ mean_reduction_kw }) => power(mean_reduction_kw) },
];

const judgingColumns = ({ isLive }: Shown): readonly Column<Site>[] => [
  { head: "Status", wide: true, cell: ({ status }) => <StatusBadge status={status} /> },
  ...deliveredColumns(isLive),
  { head: "Commitment", number: true, wide: true, cell: ({ commitment_kw }) => power(commitment_kw) },
  { head: "Shortfall", number: true, cell: (site) => <Shortfall kw={shortfallOf(site, isLive)} /> },
  { head: "Load", number: true, wide: true, cell: ({ latest }) => power(latest?.load_kw) },
  { head: "Coverage", number: true, wide: true, cell: ({ coverage }) => percent(coverage) },
];

/**
 * The mean over the dispatch, which counts in the end. The status beside it is of the last five minutes while it runs.
 */
const deliveredColumns = (isLive: boolean): readonly Column<Site>[] => [
  ...(isLive ? liveColumns : []),
  { head: isLive ? "Average so far" : "Average delivered", number: true, wide: isLive, cell: meanOf },
];

const meanOf = ({ mean_reduction_kw, performance }: Site): string =>
  performance === null ? power(mean_reduction_kw) : `${power(mean_reduction_kw)} (${percent(performance)})`;

const liveColumns: readonly Column<Site>[] = [
  { head: "Last 5 min", number: true, wide: true, cell: ({ recent }) => percent(recent?.performance) },
  { head: "Delivered", number: true, cell: ({ latest }) => power(latest?.reduction_kw) },
];

const Shortfall = ({ kw }: { readonly kw: number | null }) =>
  kw !== null && kw > 0 ? <span className="font-medium text-bad">{power(kw)}</span> : <>{kw === null ? "–" : "none"}</>;

const SiteName = ({
  site: { site_id, name, status },
  isChosen,
  judges,
}: {
  readonly site: Site;
  readonly isChosen: boolean;
  readonly judges: boolean;
}) => {
  const navigate = route.useNavigate();
  return (
    <>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => void navigate({ search: (before) => ({ ...before, site: site_id }), resetScroll: false })}
        className="min-h-6 text-left font-medium text-accent hover:underline aria-pressed:underline aria-pressed:decoration-2 aria-pressed:underline-offset-4"
      >
        {name}
      </button>
      {judges && (
        <div className="md:hidden">
          <StatusBadge status={status} />
        </div>
      )}
    </>
  );
};
