import { count, percent, power } from "../../../format/quantity.js";
import { STATUS_PERIOD, StatusBadge } from "../../../parts/status-badge.js";
import { type MeasuredSite, type SortedBy, shortfallOf } from "../../../rules/shortfall.js";
import { Card } from "../../../ui/card.js";
import { type Column, Table } from "../../../ui/table.js";
import { SiteFilters } from "./site-filters.js";
import type { SiteList } from "./use-site-list.js";

/** All sites of the dispatch, those that fall short first unless a head is clicked. */
export const SiteTable = ({
  sites,
  of,
  list,
  chosen,
}: {
  /** Those that are measured. */
  readonly sites: readonly MeasuredSite[];
  /** Number of sites in the dispatch. */
  readonly of: number;
  readonly list: SiteList;
  readonly chosen: string | null;
}) => {
  return (
    <Card title={`Sites (${sites.length < of ? `${count(sites.length)} of ` : ""}${count(of)})`} flush>
      <SiteFilters sites={sites} list={list} />
      <Table<MeasuredSite>
        label="Sites of the dispatch"
        rows={list.found}
        keyOf={({ site_id }) => site_id}
        empty="No matching sites."
        isCompact
        columns={columnsOf(list, chosen)}
      />
    </Card>
  );
};

type SortedColumn = Omit<Column<MeasuredSite>, "sorted"> & { readonly by: SortedBy };

const columnsOf = (list: SiteList, chosen: string | null): readonly Column<MeasuredSite>[] =>
  [
    {
      head: "Site",
      by: "name" as const,
      cell: (site: MeasuredSite) => <SiteName site={site} isChosen={site.site_id === chosen} list={list} />,
    },
    {
      head: "Account",
      by: "account" as const,
      wide: true,
      cell: ({ account_id }: MeasuredSite) => list.accounts.get(account_id) ?? account_id,
    },
    ...(list.judges ? judgingColumns(list) : unjudgedColumns),
  ].map(({ by, ...column }: SortedColumn) => ({ ...column, sorted: sortedBy(list, by) }));

const sortedBy = ({ sorting, sort }: SiteList, by: SortedBy) => ({
  order:
    sorting.by === by ? (sorting.descending ? ("descending" as const) : ("ascending" as const)) : ("none" as const),
  onSort: () => sort(by),
});

const unjudgedColumns: readonly SortedColumn[] = [
  {
    head: "Average delivered",
    by: "average",
    number: true,
    cell: ({ mean_reduction_kw }) => power(mean_reduction_kw),
  },
];

const judgingColumns = ({ isLive }: SiteList): readonly SortedColumn[] => [
  {
    head: isLive ? `Status, ${STATUS_PERIOD}` : "Status",
    by: "status",
    wide: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  ...deliveredColumns(isLive),
  { head: "Commitment", by: "commitment", number: true, wide: true, cell: ({ commitment_kw }) => power(commitment_kw) },
  { head: "Shortfall", by: "shortfall", number: true, cell: (site) => <Shortfall kw={shortfallOf(site, isLive)} /> },
  { head: "Load", by: "load", number: true, wide: "desk", cell: ({ latest }) => power(latest?.load_kw) },
  { head: "Coverage", by: "coverage", number: true, wide: "desk", cell: ({ coverage }) => percent(coverage) },
];

/**
 * The mean over the dispatch, which counts in the end. The status next to it is of the last five minutes while it runs.
 */
const deliveredColumns = (isLive: boolean): readonly SortedColumn[] => [
  ...(isLive ? liveColumns : []),
  { head: isLive ? "Average so far" : "Average delivered", by: "average", number: true, wide: isLive, cell: meanOf },
];

const meanOf = ({ mean_reduction_kw, performance }: MeasuredSite): string =>
  performance === null ? power(mean_reduction_kw) : `${power(mean_reduction_kw)} (${percent(performance)})`;

const liveColumns: readonly SortedColumn[] = [
  { head: "Last 5 min", by: "recent", number: true, wide: "desk", cell: ({ recent }) => percent(recent?.performance) },
  { head: "Delivered now", by: "delivered", number: true, cell: ({ latest }) => power(latest?.reduction_kw) },
];

const Shortfall = ({ kw }: { readonly kw: number | null }) =>
  kw !== null && kw > 0 ? <span className="font-medium text-bad">{power(kw)}</span> : <>{kw === null ? "–" : "none"}</>;

const SiteName = ({
  site: { site_id, name, status },
  isChosen,
  list: { judges, isLive, open },
}: {
  readonly site: MeasuredSite;
  readonly isChosen: boolean;
  readonly list: SiteList;
}) => (
  <>
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => open(site_id)}
      className="min-h-6 text-left font-medium text-accent hover:underline aria-pressed:underline aria-pressed:decoration-2 aria-pressed:underline-offset-4"
    >
      {name}
    </button>
    {judges && (
      <div className="md:hidden">
        <StatusBadge status={status} />
        {isLive && <div className="text-xs text-muted">{STATUS_PERIOD}</div>}
      </div>
    )}
  </>
);
