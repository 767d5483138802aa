import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useConsole, useConsoleList } from "../../../api/use-call.js";
import { byName } from "../../../format/name-order.js";
import { energy, percent, power } from "../../../format/quantity.js";
import { DispatchName, DispatchWhen } from "../../../parts/dispatch-cells.js";
import { shareTone } from "../../../rules/delivered-share.js";
import { committedKw } from "../../../rules/dispatch-state.js";
import { outcomeWords, periodsBack, startOfPeriod, versionWords } from "../../../rules/past-dispatch.js";
import { Badge, type Tone } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { Select } from "../../../ui/field.js";
import { ListTable } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { useNow } from "../../../ui/use-now.js";

type Past = participantConsole.PastDispatch;

const route = getRouteApi("/dashboard/dispatches");
const AT_ONCE = 25;

/** Past dispatches with results and statements; the filters are in the address. */
export const PastDispatches = () => {
  const { period, program, site, tests } = route.useSearch();
  const now = useNow();
  const from = startOfPeriod(period, now);
  const query = {
    limit: AT_ONCE,
    ...(from === null ? {} : { start_time: from }),
    ...(program === undefined ? {} : { program_id: program }),
    ...(site === undefined ? {} : { site_id: site }),
    ...(tests === "without" ? { tests: "false" as const } : {}),
  };
  const list = useConsoleList("/dispatches/past", { query });
  const isFiltered = [period, program, site, tests].some((filter) => filter !== undefined);
  return (
    <Card title={say("Past")} flush>
      <PastFilters />
      <ListTable<Past>
        label={say("Past dispatches")}
        list={list}
        keyOf={({ id }) => id}
        empty={
          isFiltered
            ? say("No matching dispatches. Choose a longer period or other filters.")
            : say("No past dispatches.")
        }
        columns={[
          {
            head: say("Program"),
            cell: (dispatch) => (
              <DispatchName dispatch={dispatch} now={now}>
                <TextLink to="/dashboard/dispatches/$id" params={{ id: dispatch.id }}>
                  {dispatch.program.name}
                </TextLink>
              </DispatchName>
            ),
          },
          { head: say("When"), cell: (dispatch) => <DispatchWhen dispatch={dispatch} now={now} /> },
          { head: say("Result"), cell: (dispatch) => <Result dispatch={dispatch} /> },
          {
            head: say("Delivered"),
            number: true,
            wide: true,
            cell: ({ result }) => (
              <>
                {power(result.mean_reduction_kw)}
                <div className="text-muted">{energy(result.delivered_energy_kwh)}</div>
              </>
            ),
          },
          { head: say("Commitment"), number: true, wide: true, cell: (dispatch) => power(committedKw(dispatch)) },
          { head: say("Statement"), wide: true, cell: ({ statement }) => <StatementLink statement={statement} /> },
        ]}
      />
    </Card>
  );
};

const tones: Readonly<Record<"good" | "warn" | "bad", Tone>> = { good: "good", warn: "warn", bad: "bad" };

/** The status in words, the share, and how sure it is; on a phone with what the other columns have. */
const Result = ({ dispatch }: { readonly dispatch: Past }) => {
  const { result, statement } = dispatch;
  const isJudged = result.performance !== null;
  return (
    <div className="grid gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2">
        {isJudged && <span className="font-medium">{percent(result.performance)}</span>}
        <Badge tone={isJudged ? tones[shareTone(result.performance, result.status_limits)] : "neutral"}>
          {outcomeWords(result)}
        </Badge>
      </span>
      <span className="text-muted">{versionWords(result)}</span>
      <span className="grid text-muted md:hidden">
        {result.mean_reduction_kw !== null && (
          <span>
            {say("{delivered} of {committed}", {
              delivered: power(result.mean_reduction_kw),
              committed: power(committedKw(dispatch)),
            })}
          </span>
        )}
        {statement !== null && <StatementLink statement={statement} />}
      </span>
    </div>
  );
};

const StatementLink = ({ statement }: Pick<Past, "statement">) =>
  statement === null ? (
    <span className="text-muted">–</span>
  ) : (
    <>
      <TextLink to="/dashboard/statements/$id" params={{ id: statement.id }}>
        {statement.month}
      </TextLink>{" "}
      <span className="text-muted">{statementStates[statement.state]}</span>
    </>
  );

const statementStates: Readonly<Record<NonNullable<Past["statement"]>["state"], string>> = {
  provisional: say("provisional", {}, "statement"),
  complete: say("complete", {}, "statement"),
  approved: say("approved", {}, "statement"),
};

const PastFilters = () => {
  const { period = "", program = "", site = "", tests = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const overview = useConsole("/overview", {});
  const programs = useSeenPrograms();
  const choose = (name: "period" | "program" | "site" | "tests", value: string) =>
    void navigate({
      search: ({ [name]: _before, ...rest }) => ({ ...rest, ...(value === "" ? {} : { [name]: value }) }),
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-1 px-4 pt-1 pb-2 lg:grid-cols-4">
      <Select
        label={say("Period")}
        value={period}
        onChange={({ target }) => choose("period", target.value)}
        choices={[{ value: "", label: say("All") }, ...periodsBack.map(({ id, label }) => ({ value: id, label }))]}
      />
      <Select
        label={say("Program")}
        value={program}
        onChange={({ target }) => choose("program", target.value)}
        choices={[{ value: "", label: say("All programs") }, ...programs]}
      />
      <Select
        label={say("Site")}
        value={site}
        onChange={({ target }) => choose("site", target.value)}
        choices={[
          { value: "", label: say("All sites") },
          ...(overview.data?.sites ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Select
        label={say("Tests")}
        value={tests}
        onChange={({ target }) => choose("tests", target.value)}
        choices={[
          { value: "", label: say("With tests") },
          { value: "without", label: say("Without tests") },
        ]}
      />
    </div>
  );
};

/** The programs of the newest past dispatches. */
const useSeenPrograms = () => {
  const { items } = useConsoleList("/dispatches/past", { query: { limit: AT_ONCE } });
  const names = new Map(items.map(({ program }) => [program.id, program.name]));
  return [...names].map(([value, label]) => ({ value, label })).toSorted((a, b) => byName(a.label, b.label));
};
