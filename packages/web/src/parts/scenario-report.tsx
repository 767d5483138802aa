import type { operator, ReplyOf } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { UseQueryResult } from "@tanstack/react-query";
import { verdictOf } from "../rules/scenario.js";
import { Badge, type Tone } from "../ui/badge.js";
import { Answered } from "../ui/state.js";
import { Table } from "../ui/table.js";

export type Report = ReplyOf<typeof operator.getScenarioReport>;

const questions: Readonly<Record<string, string>> = {
  notified: say("Received the dispatch in time"),
  fetched: say("Retrieved the dispatch"),
  update_fetched: say("Received the change"),
  stopped_on_cancel: say("Stopped when it was cancelled"),
  curtailed_in_time: say("Curtailed in time"),
  returned_after: say("Returned to normal after the end"),
};

const results: Readonly<Record<string, readonly [Tone, string]>> = {
  passed: ["good", say("Passed", {}, "criterion")],
  failed: ["bad", say("Failed", {}, "criterion")],
  not_seen: ["neutral", say("Not seen", {}, "criterion")],
};

/** A scenario's report: a verdict, and the result of each criterion. */
export const ScenarioReport = ({ of }: { readonly of: UseQueryResult<Report> }) => (
  <Answered of={of}>
    {({ criteria, state }) => (
      <>
        <p className="px-4 pt-3 font-medium">{verdictWords({ criteria, state })}</p>
        <Table
          label={say("Report")}
          rows={criteria}
          keyOf={({ name, dispatch_id, site_id }) => `${name} ${dispatch_id} ${site_id}`}
          empty={say("Nothing to evaluate.")}
          columns={[
            { head: say("Criterion"), cell: ({ name }) => questions[name] ?? name },
            {
              head: say("Result"),
              cell: ({ result }) => <Badge tone={results[result]?.[0] ?? "neutral"}>{results[result]?.[1]}</Badge>,
            },
            { head: say("Why"), cell: ({ detail }) => detail },
            { head: say("Site"), cell: ({ site_id }) => site_id ?? say("all", {}, "sites"), wide: true },
            { head: say("Dispatch"), cell: ({ dispatch_id }) => <code>{dispatch_id}</code>, wide: true },
          ]}
        />
      </>
    )}
  </Answered>
);

const verdictWords = ({ criteria, state }: Pick<Report, "criteria" | "state">): string => {
  const found = verdictOf(criteria);
  if (found.verdict === "ready") return say("Ready: every criterion passed.");
  const n = found.count;
  if (found.verdict === "not_ready")
    return say("Not ready: {n, plural, one {# criterion} other {# criteria}} failed.", { n });
  return state === "running"
    ? say("Still running: {n, plural, one {# criterion} other {# criteria}} not seen.", { n })
    : say("Not ready: {n, plural, one {# criterion} other {# criteria}} not seen.", { n });
};
