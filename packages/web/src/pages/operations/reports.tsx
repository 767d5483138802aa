import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { OPERATOR } from "../../api/call.js";
import { useOperator } from "../../api/use-call.js";
import { ReportFrame } from "../../parts/report-frame.js";
import { ReportView } from "../../parts/report-view.js";
import type { ReportPeriod, ReportSearch } from "../../rules/report-period.js";
import { type ReportRow, rowName } from "../../rules/report-rows.js";
import { Button } from "../../ui/button.js";
import { Checkbox, Select } from "../../ui/field.js";
import { Filters } from "../../ui/filters.js";
import { Answered } from "../../ui/state.js";
import { TextLink } from "../../ui/text-link.js";
import { AccountLink } from "./account-link.js";
import { Comparison } from "./past-dispatches/comparison.js";
import { useAccounts } from "./use-accounts.js";
import { usePrograms } from "./use-programs.js";

const route = getRouteApi("/operations/reports");

const subjects = {
  site: say("Site"),
  account: say("Account"),
  program: say("Program"),
  dispatch: say("Dispatch"),
} as const;
type By = keyof typeof subjects;

/** After "One row per". */
const rowsPer: Readonly<Record<By, string>> = {
  site: say("site", {}, "one row per"),
  account: say("account", {}, "one row per"),
  program: say("program", {}, "one row per"),
  dispatch: say("dispatch", {}, "one row per"),
};

const byOf = (text: string | undefined): By => (text !== undefined && text in subjects ? (text as By) : "site");

/** What sites delivered in the dispatches of a period. */
export const ReportsPage = () => {
  const search = route.useSearch();
  const change = useChange();
  return (
    <ReportFrame
      lead={say(
        "What sites delivered in the dispatches of a period, from the results that stand. For operations, not for settlement.",
      )}
      search={search}
      onChange={change}
      choices={<Chosen search={search} onChange={change} />}
      report={(period) => {
        const by = byOf(search.by);
        return by === "dispatch" ? (
          <Comparison search={search} period={period} onChange={change} />
        ) : (
          <Report search={search} period={period} by={by} />
        );
      }}
    />
  );
};

/** Changes a part of the address; an empty text removes a parameter. */
const useChange = () => {
  const navigate = route.useNavigate();
  return (part: ReportSearch) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
};

interface Choosing {
  readonly search: ReportSearch;
  readonly onChange: (part: ReportSearch) => void;
}

const named = (items: ReadonlyArray<{ readonly id: string; readonly name: string }>) =>
  items.map(({ id, name }) => ({ value: id, label: name }));

const Chosen = ({ search, onChange }: Choosing) => {
  const [programs, accounts] = [usePrograms().items, useAccounts().items];
  return (
    <Filters>
      <Select
        label={say("One row per")}
        value={byOf(search.by)}
        onChange={({ target }) => onChange({ by: target.value })}
        choices={Object.entries(rowsPer).map(([value, label]) => ({ value, label }))}
      />
      <Select
        label={say("Program")}
        value={search.program ?? ""}
        onChange={({ target }) => onChange({ program: target.value })}
        choices={[{ value: "", label: say("All programs") }, ...named(programs)]}
      />
      <Select
        label={say("Account")}
        value={search.account ?? ""}
        onChange={({ target }) => onChange({ account: target.value })}
        choices={[{ value: "", label: say("All accounts") }, ...named(accounts)]}
      />
      <Switches search={search} onChange={onChange} />
    </Filters>
  );
};

const Switches = ({ search, onChange }: Choosing) => (
  <div>
    <Checkbox
      label={say("Count test dispatches")}
      checked={search.tests === "yes"}
      onChange={({ target }) => onChange({ tests: target.checked ? "yes" : "" })}
    />
    {mayTry(search) && (
      <Checkbox
        label={say("Accuracy of the baselines (at most 20 sites)")}
        checked={search.accuracy === "yes"}
        onChange={({ target }) => onChange({ accuracy: target.checked ? "yes" : "" })}
      />
    )}
    {search.site !== undefined && (
      <Button onClick={() => onChange({ site: "" })}>{say("Show all sites, not only one")}</Button>
    )}
  </div>
);

/** Accuracy is that of a site's method in a program. */
const mayTry = ({ by, program }: ReportSearch): boolean => byOf(by) === "site" && program !== undefined;

const Report = ({
  search,
  period,
  by,
}: {
  readonly search: ReportSearch;
  readonly period: ReportPeriod;
  readonly by: Exclude<By, "dispatch">;
}) => {
  const change = useChange();
  const hasAccuracy = mayTry(search) && search.accuracy === "yes";
  const query = {
    ...period,
    by,
    ...(search.program === undefined ? {} : { program_id: search.program }),
    ...(search.account === undefined ? {} : { account_id: search.account }),
    ...(search.site === undefined ? {} : { site_id: search.site }),
    ...(search.tests === "yes" ? { tests: "true" as const } : {}),
    ...(hasAccuracy ? { accuracy: "true" as const } : {}),
  };
  return (
    <Answered of={useOperator("/reports/performance", { query }, { keep: true })}>
      {(report: operator.OperatorPerformanceReport) => (
        <ReportView
          report={report}
          title={say("{from} to {to}", { from: period.from, to: period.to })}
          base={OPERATOR}
          query={query}
          subject={subjects[by]}
          sort={search.sort}
          hasAccuracy={hasAccuracy}
          nameOf={RowName}
          onSort={(sort) => change({ sort })}
        />
      )}
    </Answered>
  );
};

const RowName = (row: ReportRow) => {
  const { site_id, account_id, account_name } = row;
  if (site_id !== null)
    return (
      <>
        <TextLink to="/operations/sites/$id" params={{ id: site_id }}>
          {rowName(row)}
        </TextLink>
        <div className="text-muted">{account_name}</div>
      </>
    );
  if (account_id !== null) return <AccountLink id={account_id} name={account_name ?? account_id} />;
  return (
    <TextLink to="/operations/programs/$id" params={{ id: row.program_id ?? "" }}>
      {rowName(row)}
    </TextLink>
  );
};
