import { requestPath } from "@curtail/client";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { count, energy, percent } from "../format/quantity.js";
import type { ReportRow } from "../rules/report-rows.js";
import { Download } from "../ui/button.js";
import { Card, Figure, Figures } from "../ui/card.js";
import { ReportTable } from "./report-table.js";

/** A report: its totals, its rows, and both as files. */
export const ReportView = ({
  report: { rows, total, next_cursor },
  title,
  base,
  query,
  ...table
}: {
  readonly report: {
    readonly rows: readonly ReportRow[];
    readonly total: ReportRow;
    readonly next_cursor: string | null;
  };
  readonly title: string;
  /** Address of the interface that the files come from. */
  readonly base: string;
  readonly query: Readonly<Record<string, string>>;
  readonly subject: string;
  readonly sort: string | undefined;
  readonly hasAccuracy?: boolean;
  readonly nameOf?: (row: ReportRow) => ReactNode;
  readonly onSort: (sort: string) => void;
}) => {
  const href = (more: Readonly<Record<string, string>>) =>
    base + requestPath("/reports/performance/download", { query: { ...query, ...more } });
  return (
    <>
      <Totals total={total} />
      <Card
        title={title}
        flush
        actions={
          <>
            <Download href={href({ format: "csv" })}>CSV</Download>
            <Download href={href({ format: "parquet" })}>Parquet</Download>
          </>
        }
      >
        {next_cursor !== null && (
          <p className="px-4 pb-2 text-sm text-muted">
            {say(
              "The first {n} rows in order of their names. The figures above are of all rows, which the files have.",
              { n: count(rows.length) },
            )}
          </p>
        )}
        <ReportTable rows={rows} {...table} />
      </Card>
      <Card
        title={say("Every site of every dispatch")}
        actions={
          <>
            <Download href={href({ by: "dispatch_site", format: "csv" })}>{say("Sites as CSV")}</Download>
            <Download href={href({ by: "dispatch_site", format: "parquet" })}>{say("Sites as Parquet")}</Download>
          </>
        }
      >
        <p className="text-sm text-muted">
          {say("One row per dispatch and site, with the version of its result: the figures above are sums of these.")}
        </p>
      </Card>
    </>
  );
};

const Totals = ({ total }: { readonly total: ReportRow }) => (
  <Figures>
    <Figure
      label={say("Sites dispatched")}
      value={count(total.calls)}
      hint={say("in {n, plural, one {# dispatch} other {# dispatches}}; {measured} measured", {
        n: total.dispatches,
        measured: count(total.measured),
      })}
    />
    <Figure
      label={say("Performance")}
      value={percent(total.performance)}
      hint={say("reduction divided by commitment")}
    />
    <Figure
      label={say("Delivered")}
      value={energy(total.delivered_energy_kwh)}
      hint={
        total.committed_energy_kwh === null
          ? say("no site is measured")
          : say("of {energy} committed", { energy: energy(total.committed_energy_kwh) })
      }
    />
    <Figure
      label={say("On commitment")}
      value={percent(total.share_on_commitment)}
      hint={say("of those that are judged", {}, "after a percentage")}
    />
    <Figure
      label={say("Available")}
      value={percent(total.availability)}
      hint={say("of the period, without availability blocks", {}, "after a percentage")}
    />
  </Figures>
);
