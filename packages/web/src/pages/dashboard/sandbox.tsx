import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { callConsole } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useConsole, useConsoleList } from "../../api/use-call.js";
import { Certificates } from "../../parts/certificates.js";
import { Keys } from "../../parts/keys.js";
import { AddKey, type KeyScope } from "../../parts/new-key.js";
import { ScenarioReport } from "../../parts/scenario-report.js";
import { ScenarioRun } from "../../parts/scenario-run.js";
import { mayWrite } from "../../rules/role.js";
import { Button } from "../../ui/button.js";
import { Card, PageHead, Stack } from "../../ui/card.js";
import { Copy } from "../../ui/copy.js";
import { DialogButton } from "../../ui/dialog-button.js";
import { Answered, Empty, Fault, Waiting } from "../../ui/state.js";
import { TextLink } from "../../ui/text-link.js";
import { CommandLine } from "./command-line.js";
import { ScenarioDeliveries } from "./deliveries.js";
import { NewScenario } from "./sandbox/new-scenario.js";
import { WebhookList } from "./webhooks/list.js";
import { NewWebhook } from "./webhooks/new-webhook.js";

type Run = operator.ScenarioRun;

const EVERY_MS = 2000;

/** Live while the scenario runs. */
const Report = ({ run: { id, state } }: { readonly run: Run }) => (
  <ScenarioReport
    of={useConsole("/scenarios/{id}/report", { params: { id } }, state === "running" ? { everyMs: EVERY_MS } : {})}
  />
);

/** Everything to test an integration: key, webhooks, scenarios with their reports, and the certificate. */
export const SandboxPage = () => {
  const writes = mayWrite(useUser());
  return (
    <>
      <PageHead
        title={say("Sandbox")}
        lead={say("Test your systems with simulated dispatches. Nothing here reaches a real site.")}
        actions={
          <a href="/docs/tutorial.html" className="text-accent underline">
            {say("Tutorial")}
          </a>
        }
      />
      <Stack>
        <OwnCertificates />
        <div className="grid items-start gap-4 2xl:grid-cols-2">
          <SandboxKeys />
          <SandboxWebhooks writes={writes} />
        </div>
        <CommandLine environment="sandbox" />
        {writes && <NewScenario />}
        <Runs />
      </Stack>
    </>
  );
};

const OwnCertificates = () => {
  const { items, error, isPending } = useConsoleList("/integration-certificates", {}, { everyMs: EVERY_MS });
  if (isPending) return <Waiting />;
  return error === null ? <Certificates of={items} /> : <Fault error={error} />;
};

const SandboxKeys = () => {
  const list = useConsoleList("/keys", {});
  const scope: KeyScope = {
    side: "own",
    only: "sandbox",
    list: { ...list, items: list.items.filter(({ environment }) => environment === "sandbox") },
    issue: (body) => callConsole("POST", "/keys", { body }),
    revoke: (id, isConfirmed) =>
      callConsole("DELETE", "/keys/{id}", {
        params: { id },
        query: { confirm_running: isConfirmed ? "true" : "false" },
      }),
  };
  return (
    <Card title={say("Sandbox keys")} actions={<AddKey scope={scope} />} flush>
      <Keys scope={scope} />
      <div className="px-4 pb-4">
        <Answered of={useConsole("/account", {})}>
          {({ sandbox_url }) => <Copy text={sandbox_url} label={say("Address of the sandbox")} />}
        </Answered>
      </div>
    </Card>
  );
};

const SandboxWebhooks = ({ writes }: { readonly writes: boolean }) => (
  <Card
    title={say("Sandbox webhooks")}
    flush
    actions={
      writes && (
        <DialogButton label={say("Add webhook")}>
          {(close) => <NewWebhook onClose={close} environment="sandbox" />}
        </DialogButton>
      )
    }
  >
    <Answered of={useConsole("/webhooks", { query: { environment: "sandbox" } })}>
      {({ webhooks }) => (
        <WebhookList
          label={say("Sandbox webhooks")}
          environment="sandbox"
          webhooks={webhooks}
          empty={say("No webhooks in the sandbox yet. Systems behind NAT poll or follow the stream instead.")}
        />
      )}
    </Answered>
    <p className="px-4 pb-4 text-sm text-muted">
      {say("A webhook’s page has its secret and all its deliveries.")}{" "}
      <TextLink to="/dashboard/requests" search={{ environment: "sandbox" }}>
        {say("Requests to the sandbox")}
      </TextLink>
    </p>
  </Card>
);

const Runs = () => {
  const list = useConsoleList("/scenarios", {}, { everyMs: EVERY_MS });
  if (list.isPending) return <Waiting />;
  return (
    <>
      {list.error !== null && <Fault error={list.error} onRetry={list.retry} />}
      {list.items.length === 0 && (
        <Card>
          <Empty>{say("No scenarios yet. Start one; its report appears here while it runs.")}</Empty>
        </Card>
      )}
      {list.items.map((run, index) => (
        <ScenarioRun
          key={run.id}
          run={run}
          who={say("Your account")}
          report={<Report run={run} />}
          deliveries={<ScenarioDeliveries id={run.id} everyMs={run.state === "running" ? EVERY_MS : undefined} />}
          opened={index === 0}
        />
      ))}
      {list.more !== null && (
        <Button onClick={list.more} busy={list.isLoadingMore && say("Loading…")}>
          {say("Show more")}
        </Button>
      )}
    </>
  );
};
