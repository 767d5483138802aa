import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useOperatorList } from "../../../api/use-call.js";
import { localDay } from "../../../format/local-time.js";
import { OWN_ZONE } from "../../../format/time.js";
import { type PastSearch, pastPeriods, pastQuery } from "../../../rules/dispatch-result.js";
import { Card } from "../../../ui/card.js";
import { Field, Select } from "../../../ui/field.js";
import { Filters } from "../../../ui/filters.js";
import { TableFiles } from "../table-files.js";
import { useAccounts } from "../use-accounts.js";
import { ResultTable } from "./result-table.js";

const route = getRouteApi("/operations/dispatches");

/** Past dispatches with their results; all choices are in the address. */
export const PastDispatches = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [today] = useState(() => localDay(new Date(), OWN_ZONE));
  const change = (part: PastSearch) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  const query = pastQuery(search, today);
  const isOldest = search.order === "oldest";
  return (
    <Card title={say("Results")} flush actions={<TableFiles path="/dispatch-results/download" query={query} />}>
      <Choices search={search} onChange={change} />
      <ResultTable
        list={useOperatorList("/dispatch-results", { query: { ...query, limit: 50 } })}
        empty={say("No past dispatches match. Change the period or the filters.")}
        isOfOne={search.account !== undefined || search.site !== undefined}
        sorted={{
          order: isOldest ? "ascending" : "descending",
          onSort: () => change({ order: isOldest ? "" : "oldest" }),
        }}
      />
    </Card>
  );
};

interface Choosing {
  readonly search: PastSearch;
  /** An empty text removes a parameter. */
  readonly onChange: (part: PastSearch) => void;
}

const tests = [
  { value: "", label: say("Included", {}, "test dispatches") },
  { value: "excluded", label: say("Left out", {}, "test dispatches") },
  { value: "only", label: say("Only tests") },
];

const Choices = ({ search, onChange }: Choosing) => (
  <Filters>
    <Select
      label={say("Period")}
      value={search.period ?? ""}
      onChange={({ target }) => onChange({ period: target.value, from: "", to: "" })}
      choices={pastPeriods}
    />
    {search.period === "custom" && <Days search={search} onChange={onChange} />}
    <AccountChoice search={search} onChange={onChange} />
    {search.account !== undefined && <SiteChoice accountId={search.account} search={search} onChange={onChange} />}
    <Select
      label={say("Test dispatches")}
      value={search.tests ?? ""}
      onChange={({ target }) => onChange({ tests: target.value })}
      choices={tests}
    />
  </Filters>
);

const Days = ({ search: { from = "", to = "" }, onChange }: Choosing) => (
  <>
    <Field
      label={say("First day")}
      type="date"
      value={from}
      onChange={({ target }) => onChange({ from: target.value })}
    />
    <Field
      label={say("Last day")}
      type="date"
      value={to}
      fault={from !== "" && to !== "" && to < from ? say("The last day is before the first.") : null}
      onChange={({ target }) => onChange({ to: target.value })}
    />
  </>
);

const named = (all: string, items: ReadonlyArray<{ readonly id: string; readonly name: string }>) => [
  { value: "", label: all },
  ...items.map(({ id, name }) => ({ value: id, label: name })),
];

const AccountChoice = ({ search, onChange }: Choosing) => (
  <Select
    label={say("Account")}
    value={search.account ?? ""}
    onChange={({ target }) => onChange({ account: target.value, site: "" })}
    choices={named(say("All accounts"), useAccounts().items)}
  />
);

const SiteChoice = ({ accountId, search, onChange }: Choosing & { readonly accountId: string }) => {
  const { items } = useOperatorList("/accounts/{id}/sites", { params: { id: accountId }, query: { limit: 500 } });
  return (
    <Select
      label={say("Site")}
      value={search.site ?? ""}
      onChange={({ target }) => onChange({ site: target.value })}
      choices={named(say("All sites"), items)}
    />
  );
};
