import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { CONSOLE } from "../../api/call.js";
import { useConsole } from "../../api/use-call.js";
import { ReportFrame } from "../../parts/report-frame.js";
import { ReportView } from "../../parts/report-view.js";
import type { ReportPeriod, ReportSearch } from "../../rules/report-period.js";
import { Checkbox, Select } from "../../ui/field.js";
import { Filters } from "../../ui/filters.js";
import { Answered } from "../../ui/state.js";

const route = getRouteApi("/dashboard/reports");

type By = "site" | "program";

const subjects: Readonly<Record<By, string>> = { site: say("Site"), program: say("Program") };

const rows: Readonly<Record<By, string>> = {
  site: say("site", {}, "one row per"),
  program: say("program", {}, "one row per"),
};

/** What the account's sites delivered in the dispatches of a period. */
export const ReportsPage = () => {
  const search = route.useSearch();
  const change = useChange();
  return (
    <ReportFrame
      lead={say("What your sites delivered in the dispatches of a period. For operations, not for settlement.")}
      search={search}
      onChange={change}
      choices={<Chosen search={search} onChange={change} />}
      report={(period) => <Report search={search} period={period} />}
    />
  );
};

/** Changes a part of the address; an empty text removes a parameter. */
const useChange = () => {
  const navigate = route.useNavigate();
  return (part: ReportSearch) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
};

const Chosen = ({
  search,
  onChange,
}: {
  readonly search: ReportSearch;
  readonly onChange: (part: ReportSearch) => void;
}) => (
  <Filters>
    <Select
      label={say("One row per")}
      value={search.by === "program" ? "program" : "site"}
      onChange={({ target }) => onChange({ by: target.value })}
      choices={Object.entries(rows).map(([value, label]) => ({ value, label }))}
    />
    <Checkbox
      label={say("Count the operator's test dispatches")}
      checked={search.tests === "yes"}
      onChange={({ target }) => onChange({ tests: target.checked ? "yes" : "" })}
    />
  </Filters>
);

const Report = ({ search, period }: { readonly search: ReportSearch; readonly period: ReportPeriod }) => {
  const change = useChange();
  const by: By = search.by === "program" ? "program" : "site";
  const query = {
    ...period,
    by,
    ...(search.program === undefined ? {} : { program_id: search.program }),
    ...(search.site === undefined ? {} : { site_id: search.site }),
    ...(search.tests === "yes" ? { tests: "true" as const } : {}),
  };
  return (
    <Answered of={useConsole("/reports/performance", { query }, { keep: true })}>
      {(report) => (
        <ReportView
          report={report}
          title={say("{from} to {to}", { ...period })}
          base={CONSOLE}
          query={query}
          subject={subjects[by]}
          sort={search.sort}
          onSort={(sort) => change({ sort })}
        />
      )}
    </Answered>
  );
};
