import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { count, plain, plainPercent } from "../format/quantity.js";
import {
  leftOutWords,
  nextSorting,
  type ReportRow,
  type ReportSortedBy,
  rowName,
  sortedRows,
  sortingOf,
} from "../rules/report-rows.js";
import { type Column, Table } from "../ui/table.js";

interface Figure {
  readonly by: Exclude<ReportSortedBy, "name">;
  readonly head: string;
  readonly show: (value: number | null | undefined) => string;
  readonly wide?: true | "desk";
}

const figures: readonly Figure[] = [
  { by: "calls", head: say("Times"), show: (value) => count(value ?? 0) },
  { by: "measured", head: say("Measured"), show: (value) => count(value ?? 0), wide: "desk" },
  { by: "call_hours", head: say("Length (h)"), show: plain, wide: "desk" },
  { by: "performance", head: say("Performance (%)"), show: plainPercent },
  { by: "lowest_performance", head: say("Lowest (%)"), show: plainPercent, wide: "desk" },
  { by: "highest_performance", head: say("Highest (%)"), show: plainPercent, wide: "desk" },
  { by: "share_on_commitment", head: say("On commitment (%)"), show: plainPercent, wide: true },
  { by: "delivered_energy_kwh", head: say("Delivered (kWh)"), show: plain },
  { by: "committed_energy_kwh", head: say("Committed (kWh)"), show: plain, wide: "desk" },
  { by: "coverage", head: say("Readings (%)"), show: plainPercent, wide: "desk" },
  { by: "availability", head: say("Available (%)"), show: plainPercent, wide: true },
];

const accuracyFigures: readonly Figure[] = [
  { by: "relative_rmse", head: say("Baseline error (RMSE, %)"), show: plainPercent, wide: true },
  { by: "relative_bias", head: say("Baseline bias (%)"), show: plainPercent, wide: true },
];

/** Few dispatches overlap. */
const elsewhereFigure: Figure = {
  by: "paid_elsewhere_hours",
  head: say("Paid elsewhere (h)"),
  show: plain,
  wide: "desk",
};

/** Left out, to have room for as many figures that not every report has; files have them. */
const leastNeeded: readonly ReportSortedBy[] = ["measured", "call_hours", "highest_performance"];

const figuresOf = (rows: readonly ReportRow[], hasAccuracy: boolean): readonly Figure[] => {
  const elsewhere = rows.some((row) => row.paid_elsewhere_hours > 0) ? [elsewhereFigure] : [];
  const accuracy = hasAccuracy ? accuracyFigures : [];
  const leftOut = leastNeeded.slice(0, elsewhere.length + accuracy.length);
  const rest = figures.filter(({ by }) => !leftOut.includes(by));
  const before = rest.findIndex(({ by }) => by === "performance");
  return [...rest.slice(0, before), ...elsewhere, ...rest.slice(before), ...accuracy];
};

/** The rows of a report; a click on a head sorts by its column. */
export const ReportTable = ({
  rows,
  subject,
  sort,
  hasAccuracy = false,
  nameOf = rowName,
  onSort,
}: {
  readonly rows: readonly ReportRow[];
  /** What a row is about. */
  readonly subject: string;
  readonly sort: string | undefined;
  readonly hasAccuracy?: boolean;
  readonly nameOf?: (row: ReportRow) => ReactNode;
  readonly onSort: (sort: string) => void;
}) => {
  const shown = figuresOf(rows, hasAccuracy);
  const sorting = sortingOf(sort, ["name", ...shown.map(({ by }) => by)]);
  const sortedBy = (by: ReportSortedBy) =>
    ({
      order: sorting.by === by ? (sorting.descending ? "descending" : "ascending") : "none",
      onSort: () => onSort(nextSorting(by, sorting)),
    }) as const;
  const columns: readonly Column<ReportRow>[] = [
    {
      head: subject,
      cell: (row) => <div className="min-w-32 2xl:min-w-40">{nameOf(row)}</div>,
      sorted: sortedBy("name"),
    },
    ...shown.map(({ by, head, show, wide = false }) => ({
      head,
      number: true,
      wide,
      cell: (row: ReportRow) => show(row[by]),
      sorted: sortedBy(by),
    })),
    { head: say("Not counted"), wide: "desk", cell: leftOutWords },
  ];
  return (
    <>
      <Table<ReportRow>
        label={say("Report")}
        rows={sortedRows(rows, sorting)}
        keyOf={(row) => `${row.site_id} ${row.account_id} ${row.program_id}`}
        empty={say("No dispatches in this period.")}
        columns={columns}
        isCompact
      />
    </>
  );
};
