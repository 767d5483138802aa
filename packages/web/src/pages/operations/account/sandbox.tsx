import type { operator } from "@curtail/contract";
import { useState } from "react";
import { useOperatorList } from "../../../api/use-call.js";
import { counted } from "../../../format/quantity.js";
import { dayAndClock } from "../../../format/time.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Card, Stack } from "../../../ui/card.js";
import { Empty, Fault, Waiting } from "../../../ui/state.js";
import { ScenarioReport } from "./scenario-report.js";

type Run = operator.ScenarioRun;

const typeWords: Readonly<Record<Run["scenario_type"], string>> = {
  basic: "One dispatch",
  ancillary_services: "Ancillary services at short notice",
  back_to_back: "Back-to-back dispatches",
  update: "A dispatch that changes",
  cancellation: "A dispatch that is cancelled",
  custom: "Custom course",
};

const actWords: Readonly<Record<Run["acts"][number]["what"], string>> = {
  polled: "listed dispatches",
  fetched: "retrieved a dispatch",
  telemetry: "sent readings",
  controllable_load: "sent controllable load",
  ven_polled: "its VEN received a dispatch",
  ven_acknowledged: "its VEN acknowledged a dispatch",
};

/** The participant's scenarios in the sandbox and their reports. */
export const Sandbox = ({ accountId }: { readonly accountId: string }) => {
  const list = useOperatorList("/accounts/{id}/scenarios", { params: { id: accountId } });
  if (list.isPending) return <Waiting />;
  return (
    <Stack>
      {list.error !== null && <Fault error={list.error} />}
      {list.items.map((run) => (
        <RunCard key={run.id} run={run} />
      ))}
      {list.more !== null && (
        <Button onClick={list.more} busy={list.isLoadingMore && "Loading…"}>
          Show more
        </Button>
      )}
      {list.items.length === 0 && (
        <Card>
          <Empty>
            No scenarios yet. The participant runs them with a sandbox key; each report shows whether its systems are
            ready.
          </Empty>
        </Card>
      )}
    </Stack>
  );
};

const RunCard = ({ run: { id, scenario_type, name, state, speed, created_at, acts } }: { readonly run: Run }) => {
  const [open, setOpen] = useState(false);
  return (
    <Card
      title={name ?? typeWords[scenario_type]}
      actions={state === "running" ? <Badge tone="info">Running</Badge> : <Badge>Over</Badge>}
    >
      <p className="text-muted">
        {typeWords[scenario_type]}; started {dayAndClock(created_at)}
        {speed === 1 ? "" : `, at ${speed} times the speed`}.
      </p>
      <p className="mt-1 mb-3">
        {acts.length === 0 ? "No activity from the participant yet." : `The participant ${doneIn(acts)}.`}
      </p>
      <Button aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "Hide the report" : "Show the report"}
      </Button>
      {open && <ScenarioReport id={id} />}
    </Card>
  );
};

const doneIn = (acts: Run["acts"]): string => {
  const counts = new Map<string, number>();
  for (const { what, count } of acts) counts.set(actWords[what], (counts.get(actWords[what]) ?? 0) + count);
  return [...counts].map(([what, count]) => `${what} (${counted(count, "time")})`).join(", ");
};
