import { useOperator } from "../../../api/use-call.js";
import { counted } from "../../../format/quantity.js";
import { Badge, type Tone } from "../../../ui/badge.js";
import { Answered } from "../../../ui/state.js";
import { Table } from "../../../ui/table.js";

const questions: Readonly<Record<string, string>> = {
  notified: "Learnt of the dispatch in time",
  fetched: "Retrieved the dispatch",
  update_fetched: "Learnt of the change",
  stopped_on_cancel: "Stopped when it was cancelled",
  curtailed_in_time: "Curtailed in time",
  returned_after: "Returned to normal after the end",
};

const results: Readonly<Record<string, readonly [Tone, string]>> = {
  passed: ["good", "Passed"],
  failed: ["bad", "Failed"],
  not_seen: ["neutral", "Not seen"],
};

/** A run, criterion by criterion, with a verdict over all. */
export const ScenarioReport = ({ id }: { readonly id: string }) => (
  <Answered of={useOperator("/scenarios/{id}/report", { params: { id } })}>
    {({ criteria, state }) => (
      <div className="-mx-4 mt-3 border-t border-line">
        <p className="px-4 pt-3 font-medium">{verdictOf(criteria, state)}</p>
        <Table
          label="Report"
          rows={criteria}
          keyOf={({ name, dispatch_id, site_id }) => `${name} ${dispatch_id} ${site_id}`}
          empty="There is nothing to judge."
          columns={[
            { head: "Asked", cell: ({ name }) => questions[name] ?? name },
            {
              head: "Result",
              cell: ({ result }) => <Badge tone={results[result]?.[0] ?? "neutral"}>{results[result]?.[1]}</Badge>,
            },
            { head: "Why", cell: ({ detail }) => detail },
            { head: "Site", cell: ({ site_id }) => site_id ?? "all", wide: true },
            { head: "Dispatch", cell: ({ dispatch_id }) => <code>{dispatch_id}</code>, wide: true },
          ]}
        />
      </div>
    )}
  </Answered>
);

const verdictOf = (criteria: readonly { readonly result: string }[], state: string): string => {
  const failed = criteria.filter(({ result }) => result === "failed").length;
  const unseen = criteria.filter(({ result }) => result === "not_seen").length;
  if (failed > 0) return `Not ready: ${counted(failed, "criterion", "criteria")} failed.`;
  if (unseen > 0)
    return `${state === "running" ? "Still running" : "Not shown"}: ${counted(unseen, "criterion", "criteria")} not seen.`;
  return "Ready: every criterion passed.";
};
