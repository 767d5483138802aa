import { useState } from "react";
import { useOperatorList } from "../../../api/use-call.js";
import { exact } from "../../../format/time.js";
import { Badge } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { Select } from "../../../ui/field.js";
import { Filters } from "../../../ui/filters.js";
import { ListTable } from "../../../ui/table.js";

type Shown = "all" | "error" | "ok";

/** What the participant's systems asked in the last day: the first look when something does not work there. */
export const Requests = ({ accountId }: { readonly accountId: string }) => {
  const [shown, setShown] = useState<Shown>("all");
  const list = useOperatorList(
    "/accounts/{id}/requests",
    { params: { id: accountId }, query: shown === "all" ? {} : { status: shown } },
    { everyMs: 15_000 },
  );
  return (
    <Card flush title="Requests of the last 24 hours">
      <Filters>
        <Select
          label="Show"
          choices={[
            { value: "all", label: "All requests" },
            { value: "error", label: "Errors" },
            { value: "ok", label: "Successes" },
          ]}
          value={shown}
          onChange={({ target }) => setShown(target.value as Shown)}
        />
      </Filters>
      <ListTable
        label="Requests"
        list={list}
        keyOf={({ at, method, path, status, key_id }) => `${at} ${method} ${path} ${status} ${key_id}`}
        empty={
          shown === "error"
            ? "No errors in the last day."
            : "Nothing was asked with a key of production in the last day."
        }
        columns={[
          { head: "When", cell: ({ at }) => exact(at) },
          {
            head: "Request",
            cell: ({ method, path }) => (
              <code className="break-all">
                {method} {path}
              </code>
            ),
          },
          { head: "Answer", cell: ({ status }) => <Badge tone={status < 400 ? "good" : "bad"}>{status}</Badge> },
          { head: "How often", cell: ({ count }) => count, number: true },
          { head: "Took", cell: ({ duration_ms }) => `${duration_ms.toFixed(1)} ms`, number: true, wide: true },
          {
            head: "What to do",
            cell: ({ error, explanation }) => (
              <div className="min-w-40">
                {explanation ?? error ?? "–"}
                {explanation !== null && error !== null && <div className="text-muted">{error}</div>}
              </div>
            ),
          },
        ]}
      />
    </Card>
  );
};
