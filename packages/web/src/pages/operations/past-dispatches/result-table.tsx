import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { count, percent, plain } from "../../../format/quantity.js";
import { duration } from "../../../format/time.js";
import { reachedWords } from "../../../rules/dispatch-result.js";
import { Badge } from "../../../ui/badge.js";
import type { Listed } from "../../../ui/listed.js";
import { Period } from "../../../ui/page-zone.js";
import { type Column, ListTable } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { ResultBadge } from "./result-badge.js";

type Result = operator.DispatchResult;

interface Shown {
  readonly list: Listed<Result>;
  readonly empty: string;
  /** Whether the rows are those of one account or site: it is reached or not. */
  readonly isOfOne?: boolean;
  /** How rows are sorted by their start, and what changes it. */
  readonly sorted?: NonNullable<Column<Result>["sorted"]>;
}

/** Past dispatches with their results. */
export const ResultTable = ({ list, empty, isOfOne = false, sorted }: Shown) => (
  <ListTable<Result>
    label={say("Past dispatches")}
    list={list}
    keyOf={({ dispatch_id }) => dispatch_id}
    empty={empty}
    columns={[
      { head: say("Dispatch"), cell: When, ...(sorted !== undefined && { sorted }) },
      ...figureColumns,
      { head: isOfOne ? say("Notified") : say("Accounts reached"), wide: true, cell: Reached },
      { head: say("Result"), cell: State },
    ]}
  />
);

const When = ({ dispatch_id, program_name, start_time, end_time, test }: Result) => (
  <div className="sm:min-w-44">
    <TextLink to="/operations/dispatches/$id" params={{ id: dispatch_id }}>
      <Period start={start_time} end={end_time} />
    </TextLink>
    <div className="flex flex-wrap items-center gap-x-2 text-muted">
      <span>{program_name}</span>
      {test && <Badge tone="warn">{say("test")}</Badge>}
    </div>
  </div>
);

const figureColumns: readonly Column<Result>[] = [
  {
    head: say("Duration"),
    number: true,
    wide: "desk",
    cell: ({ duration_seconds }) => duration(duration_seconds * 1000),
  },
  { head: say("Sites"), number: true, wide: true, cell: ({ sites }) => count(sites) },
  { head: say("Committed (kW)"), number: true, wide: "desk", cell: ({ commitment_kw }) => plain(commitment_kw) },
  { head: say("Delivered (kW)"), number: true, wide: true, cell: ({ mean_reduction_kw }) => plain(mean_reduction_kw) },
  { head: say("Performance"), number: true, cell: ({ performance }) => percent(performance) },
  { head: say("Readings"), number: true, wide: "desk", cell: ({ coverage }) => percent(coverage) },
];

const Reached = ({ dispatch_id, ...result }: Result) => (
  <TextLink to="/operations/dispatches/$id" params={{ id: dispatch_id }} search={{ tab: "evidence" }}>
    {reachedWords(result)}
  </TextLink>
);

const State = (result: Result) => (
  <div className="flex flex-wrap gap-1">
    <ResultBadge result={result} />
    {result.later_version && <Badge tone="warn">{say("later readings")}</Badge>}
  </div>
);
