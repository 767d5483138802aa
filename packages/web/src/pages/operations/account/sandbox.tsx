import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useOperator, useOperatorList } from "../../../api/use-call.js";
import { Certificates } from "../../../parts/certificates.js";
import { ScenarioReport } from "../../../parts/scenario-report.js";
import { ScenarioRun } from "../../../parts/scenario-run.js";
import { Button } from "../../../ui/button.js";
import { Card, Stack } from "../../../ui/card.js";
import { Empty, Fault, Waiting } from "../../../ui/state.js";
import { ScenarioDeliveries } from "./deliveries.js";

type Run = operator.ScenarioRun;

const Report = ({ run: { id } }: { readonly run: Run }) => (
  <ScenarioReport of={useOperator("/scenarios/{id}/report", { params: { id } })} />
);

/** The participant's certificate, its scenarios in the sandbox and their reports. */
export const Sandbox = ({ accountId }: { readonly accountId: string }) => {
  const named = { params: { id: accountId } };
  const list = useOperatorList("/accounts/{id}/scenarios", named);
  const certificates = useOperatorList("/accounts/{id}/integration-certificates", named);
  if (list.isPending || certificates.isPending) return <Waiting />;
  return (
    <Stack>
      {certificates.error === null ? <Certificates of={certificates.items} /> : <Fault error={certificates.error} />}
      {list.error !== null && <Fault error={list.error} onRetry={list.retry} />}
      {list.items.map((run) => (
        <ScenarioRun
          key={run.id}
          run={run}
          who={say("The participant")}
          report={<Report run={run} />}
          deliveries={<ScenarioDeliveries id={run.id} />}
        />
      ))}
      {list.more !== null && (
        <Button onClick={list.more} busy={list.isLoadingMore && say("Loading…")}>
          {say("Show more")}
        </Button>
      )}
      {list.items.length === 0 && (
        <Card>
          <Empty>
            {say(
              "No scenarios yet. The participant runs them with a sandbox key; each report shows whether its systems are ready.",
            )}
          </Empty>
        </Card>
      )}
    </Stack>
  );
};
