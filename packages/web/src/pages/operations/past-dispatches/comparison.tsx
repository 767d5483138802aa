import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useOperatorList } from "../../../api/use-call.js";
import { useWhole } from "../../../api/use-whole.js";
import { count, percent, plain } from "../../../format/quantity.js";
import { type ComparedBy, comparedResults, comparison, reachedWords } from "../../../rules/dispatch-result.js";
import type { ReportPeriod, ReportSearch } from "../../../rules/report-period.js";
import { Card, Stack } from "../../../ui/card.js";
import { Period } from "../../../ui/page-zone.js";
import { Fault, Waiting } from "../../../ui/state.js";
import { type Column, Table } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { TableFiles } from "../table-files.js";
import { DispatchBars } from "./dispatch-bars.js";
import { ResultBadge } from "./result-badge.js";

type Result = operator.DispatchResult;

/** The dispatches of a period side by side. */
export const Comparison = ({
  search,
  period,
  onChange,
}: {
  readonly search: ReportSearch;
  readonly period: ReportPeriod;
  readonly onChange: (part: ReportSearch) => void;
}) => {
  const query = {
    ...period,
    order: "oldest" as const,
    tests: search.tests === "yes" ? ("included" as const) : ("excluded" as const),
    ...(search.program !== undefined && { program_id: search.program }),
    ...(search.account !== undefined && { account_id: search.account }),
    ...(search.site !== undefined && { site_id: search.site }),
  };
  const list = useWhole(useOperatorList("/dispatch-results", { query: { ...query, limit: 100 } }));
  if (list.isPending) return <Waiting />;
  return (
    <Stack>
      {list.error !== null && <Fault error={list.error} onRetry={list.retry} />}
      <Card
        title={say("{n, plural, one {# dispatch} other {# dispatches}}", { n: list.items.length })}
        actions={<TableFiles path="/dispatch-results/download" query={query} />}
      >
        <p className="mb-3 text-sm text-muted">
          {say("Average delivered power against the commitment of all sites. The table below has the same figures.")}
          {!list.isWhole && ` ${say("More dispatches are being loaded.")}`}
        </p>
        <DispatchBars results={list.items} />
      </Card>
      <Card flush>
        <Compared results={list.items} sort={search.sort} onSort={(sort) => onChange({ sort })} />
      </Card>
    </Stack>
  );
};

const Compared = ({
  results,
  sort,
  onSort,
}: {
  readonly results: readonly Result[];
  readonly sort: string | undefined;
  readonly onSort: (sort: string) => void;
}) => {
  const { by: now, descending } = comparison(sort);
  const sorted = (by: ComparedBy): NonNullable<Column<Result>["sorted"]> => ({
    order: by !== now ? "none" : descending ? "descending" : "ascending",
    onSort: () => onSort((by === now ? !descending : by !== "start_time") ? `-${by}` : by),
  });
  return (
    <>
      <Table<Result>
        label={say("Dispatches compared")}
        rows={comparedResults(results, sort)}
        keyOf={({ dispatch_id }) => dispatch_id}
        empty={say("No dispatches in this period.")}
        isCompact
        columns={[
          { head: say("Dispatch"), cell: Name, sorted: sorted("start_time") },
          ...figures.map(({ by, ...column }) => ({ ...column, number: true, sorted: sorted(by) })),
          { head: say("Accounts reached"), wide: true, cell: reachedWords },
          { head: say("Result"), wide: true, cell: (result) => <ResultBadge result={result} /> },
        ]}
      />
    </>
  );
};

const figures: ReadonlyArray<Column<Result> & { readonly by: ComparedBy }> = [
  { by: "commitment_kw", head: say("Committed (kW)"), wide: true, cell: ({ commitment_kw }) => plain(commitment_kw) },
  { by: "mean_reduction_kw", head: say("Delivered (kW)"), cell: ({ mean_reduction_kw }) => plain(mean_reduction_kw) },
  { by: "performance", head: say("Performance"), cell: ({ performance }) => percent(performance) },
  {
    by: "sites",
    head: say("Sites measured"),
    wide: true,
    cell: ({ measured_sites, sites }) => say("{part} of {all}", { part: count(measured_sites), all: count(sites) }),
  },
  { by: "coverage", head: say("Readings"), wide: true, cell: ({ coverage }) => percent(coverage) },
];

const Name = ({ dispatch_id, start_time, end_time, program_name }: Result) => (
  <div className="sm:min-w-40">
    <TextLink to="/operations/dispatches/$id" params={{ id: dispatch_id }}>
      <Period start={start_time} end={end_time} />
    </TextLink>
    <div className="text-muted">{program_name}</div>
  </div>
);
