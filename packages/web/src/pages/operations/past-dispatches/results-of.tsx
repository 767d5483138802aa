import { say } from "@curtail/words/page";
import { useState } from "react";
import { useOperatorList } from "../../../api/use-call.js";
import { localDay } from "../../../format/local-time.js";
import { OWN_ZONE } from "../../../format/time.js";
import { pastPeriods, pastQuery } from "../../../rules/dispatch-result.js";
import { Card } from "../../../ui/card.js";
import { Select } from "../../../ui/field.js";
import { Filters } from "../../../ui/filters.js";
import { TableFiles } from "../table-files.js";
import { ResultTable } from "./result-table.js";

const periods = pastPeriods.filter(({ value }) => value !== "custom");

/** Every dispatch that an account or a site was in, with its result and how it was notified. */
export const ResultsOf = ({ of }: { readonly of: { readonly account: string } | { readonly site: string } }) => {
  const [today] = useState(() => localDay(new Date(), OWN_ZONE));
  const [period, setPeriod] = useState("");
  const query = pastQuery({ ...of, period }, today);
  return (
    <Card title={say("Past dispatches")} flush actions={<TableFiles path="/dispatch-results/download" query={query} />}>
      <Filters>
        <Select
          label={say("Period")}
          value={period}
          onChange={({ target }) => setPeriod(target.value)}
          choices={periods}
        />
      </Filters>
      <ResultTable
        list={useOperatorList("/dispatch-results", { query: { ...query, limit: 20 } })}
        empty={say("No past dispatches in this period.")}
        isOfOne
      />
    </Card>
  );
};
