import { say } from "@curtail/words/page";
import { count, plain } from "../../../format/quantity.js";
import { duration } from "../../../format/time.js";
import { type SortedBy, shareOf } from "../../../rules/shortfall.js";
import { halfOfShortfall, type SiteRow, shortfallStrip } from "../../../rules/site-row.js";
import { type Column, Table } from "../../../ui/table.js";
import { useNow } from "../../../ui/use-now.js";
import { SiteFilters } from "./site-filters.js";
import type { SiteList } from "./use-site-list.js";

interface Shown {
  readonly rows: readonly SiteRow[];
  readonly list: SiteList;
  readonly chosen: string | null;
  /** Head of the column of states. */
  readonly stateHead: string;
  /** In a replay, the sheet of a site would show what came later. */
  readonly isReplay: boolean;
}

/** All sites of the dispatch, those that fall short first unless a head is clicked. */
export const SiteTable = ({
  rows,
  of,
  list,
  ...shown
}: Shown & { /** Number of sites in the dispatch. */ readonly of: number }) => {
  const strip =
    list.judges && list.sorting.by === "shortfall" && list.sorting.descending ? shortfallStrip(list.found) : [];
  return (
    <section className="min-w-0 overflow-hidden rounded-xl bg-surface ring-1 ring-line">
      <h2 className="sr-only">
        {rows.length < of
          ? say("Sites ({n} of {all})", { n: count(rows.length), all: count(of) })
          : say("Sites ({n})", { n: count(of) })}
      </h2>
      <SiteFilters rows={rows} list={list} />
      <div className={strip.length > 1 ? "grid grid-cols-[minmax(0,1fr)_20px] md:grid-cols-[minmax(0,1fr)_44px]" : ""}>
        <div className="min-w-0">
          <Table<SiteRow>
            label={say("Sites of the dispatch")}
            rows={list.found}
            keyOf={({ site_id }) => site_id}
            empty={say("No matching sites.")}
            isCompact
            isFixed
            columns={columnsOf(list, shown)}
          />
        </div>
        {strip.length > 1 && <Strip points={strip} />}
      </div>
      <Foot list={list} />
    </section>
  );
};

const Foot = ({ list: { found, judges } }: { readonly list: SiteList }) => {
  const half = judges ? halfOfShortfall(found) : null;
  if (half === null || found.length < 2) return null;
  return (
    <p className="border-t border-line px-4 py-1.5 text-[13px] text-muted">
      {say("Half of the shortfall is in {half, plural, one {one row} other {# rows}} of {n}.", {
        half,
        n: count(found.length),
      })}
    </p>
  );
};

/** The shortfall of all rows in their order: how long the list is worth reading. */
const Strip = ({ points }: { readonly points: readonly number[] }) => {
  const edge = points.map(
    (value, index) => `L${(value * 100).toFixed(1)} ${((index / (points.length - 1)) * 100).toFixed(1)}`,
  );
  return (
    <div
      aria-hidden="true"
      className="relative border-t border-l border-line print:hidden"
      title={say("Shortfall of all rows")}
    >
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full">
        <path d={`M0 0${edge.join("")}L0 100Z`} fill="var(--gap-bad)" />
      </svg>
    </div>
  );
};

type SortedColumn = Omit<Column<SiteRow>, "sorted"> & { readonly by: SortedBy };

const columnsOf = (list: SiteList, shown: Omit<Shown, "rows" | "list">): readonly Column<SiteRow>[] =>
  [
    {
      head: say("Site"),
      by: "name" as const,
      cell: (site: SiteRow) => <SiteName site={site} list={list} {...shown} />,
    },
    {
      head: say("Account"),
      by: "account" as const,
      wide: true,
      cell: ({ account_id }: SiteRow) => list.accounts.get(account_id) ?? account_id,
    },
    ...(list.judges ? judgingColumns(shown) : unjudgedColumns),
  ].map(({ by, ...column }: SortedColumn) => ({ ...column, sorted: sortedBy(list, by) }));

const sortedBy = ({ sorting, sort }: SiteList, by: SortedBy) => ({
  order:
    sorting.by === by ? (sorting.descending ? ("descending" as const) : ("ascending" as const)) : ("none" as const),
  onSort: () => sort(by),
});

const unjudgedColumns: readonly SortedColumn[] = [
  {
    head: say("Delivered, kW"),
    by: "delivered",
    number: true,
    cell: ({ delivered_kw }) => plain(delivered_kw),
  },
];

const judgingColumns = ({ stateHead, isReplay }: Omit<Shown, "rows" | "list">): readonly SortedColumn[] => [
  { head: stateHead, by: "status", cell: (site) => <State of={site} /> },
  {
    head: say("Delivered / committed, kW"),
    by: "delivered",
    number: true,
    wide: true,
    cell: ({ delivered_kw, commitment_kw }) => (
      <>
        <b className="font-semibold">{plain(delivered_kw)}</b>{" "}
        <span className="text-muted">/ {plain(commitment_kw)}</span>
      </>
    ),
  },
  { head: say("Share", {}, "noun"), by: "share", wide: "desk", cell: (site) => <Share of={site} /> },
  { head: say("Short, kW"), by: "shortfall", number: true, cell: (site) => <Short of={site} /> },
  ...(isReplay
    ? []
    : [
        {
          head: say("Last reading"),
          by: "reading" as const,
          number: true,
          wide: true,
          cell: ({ reading_at }: SiteRow) => <Age at={reading_at} />,
        },
      ]),
];

const tones: Partial<Record<SiteRow["state"], string>> = {
  not_notified: "text-bad",
  well_below: "text-warn",
  no_readings: "text-warn",
};

/** How a site stands, in words. */
export const State = ({ of: { state } }: { readonly of: Pick<SiteRow, "state"> }) => (
  <span className={tones[state] ?? ""}>{stateWords[state]}</span>
);

/** Within a line; those of the filters begin one. */
const stateWords: Readonly<Record<SiteRow["state"], string>> = {
  not_notified: say("not notified", {}, "site"),
  well_below: say("well below", {}, "commitment"),
  no_readings: say("no readings"),
  not_judged: say("not judged", {}, "site"),
  below: say("below", {}, "commitment"),
  on_commitment: say("on commitment"),
  well_above: say("well above", {}, "commitment"),
};

const Share = ({ of }: { readonly of: SiteRow }) => {
  const share = shareOf(of);
  return (
    <div
      aria-hidden="true"
      className={`relative h-2 w-24 overflow-hidden rounded-sm ${share === null ? "hatched" : "bg-sunken"}`}
    >
      {share !== null && (
        <i
          className="absolute inset-y-0 left-0 bg-muted"
          style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }}
        />
      )}
    </div>
  );
};

const Short = ({ of: { short_kw, delivered_kw } }: { readonly of: SiteRow }) => {
  if (short_kw === null) return "–";
  if (short_kw <= 0) return <span className="text-muted">0</span>;
  return (
    <b className="font-semibold">
      {delivered_kw === null ? say("up to {power}", { power: plain(short_kw) }) : plain(short_kw)}
    </b>
  );
};

const OLD_MS = 120_000;

const Age = ({ at }: { readonly at: string | null }) => {
  const now = useNow();
  if (at === null) return <span className="text-muted">–</span>;
  const ms = now.getTime() - Date.parse(at);
  return <span className={ms > OLD_MS ? "text-warn" : "text-muted"}>{duration(ms)}</span>;
};

const SiteName = ({
  site: { site_id, name },
  chosen,
  isReplay,
  list: { open },
}: { readonly site: SiteRow; readonly list: SiteList } & Omit<Shown, "rows" | "list">) =>
  isReplay ? (
    <span className="block max-w-[6.5rem] truncate font-medium md:max-w-64" title={name}>
      {name}
    </span>
  ) : (
    <button
      type="button"
      aria-pressed={site_id === chosen}
      onClick={() => open(site_id)}
      title={name}
      className="block min-h-6 max-w-[6.5rem] truncate text-left font-medium text-ink hover:underline aria-pressed:underline aria-pressed:decoration-2 aria-pressed:underline-offset-4 md:max-w-64"
    >
      {name}
    </button>
  );
