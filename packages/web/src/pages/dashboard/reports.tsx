import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { CONSOLE } from "../../api/call.js";
import { useConsole } from "../../api/use-call.js";
import { localDay } from "../../format/local-time.js";
import { OWN_ZONE } from "../../format/time.js";
import { ReportPeriods } from "../../parts/report-periods.js";
import { ReportView } from "../../parts/report-view.js";
import { type ReportPeriod, type ReportSearch, reportPeriod } from "../../rules/report-period.js";
import { Card, PageHead, Stack } from "../../ui/card.js";
import { Checkbox, Select } from "../../ui/field.js";
import { Filters } from "../../ui/filters.js";
import { Answered, Empty } from "../../ui/state.js";

const route = getRouteApi("/dashboard/reports");

const subjects = { site: "Site", program: "Program" } as const;
type By = keyof typeof subjects;

/** What the account's sites delivered in the dispatches of a period. */
export const ReportsPage = () => {
  const search = route.useSearch();
  const change = useChange();
  const [today] = useState(() => localDay(new Date(), OWN_ZONE));
  const period = reportPeriod(search, today);
  return (
    <>
      <PageHead
        title="Reports"
        lead="What your sites delivered in the dispatches of a period. For operations, not for settlement."
      />
      <Stack>
        <Card flush>
          <ReportPeriods search={search} period={period} onChange={change} />
          <Chosen search={search} onChange={change} />
        </Card>
        {period === null ? (
          <Empty>Choose a first day, and a last day that is not before it.</Empty>
        ) : (
          <Report search={search} period={period} />
        )}
      </Stack>
    </>
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
      label="One row per"
      value={search.by === "program" ? "program" : "site"}
      onChange={({ target }) => onChange({ by: target.value })}
      choices={Object.entries(subjects).map(([value, label]) => ({ value, label: label.toLowerCase() }))}
    />
    <Checkbox
      label="Count the operator's test dispatches"
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
          title={`${period.from} to ${period.to}`}
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
