import type { operator } from "@curtail/contract";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { mayWrite, useUser } from "../../../api/session.js";
import { useChange } from "../../../api/use-change.js";
import { dayAndClock } from "../../../format/time.js";
import { Button } from "../../../ui/button.js";
import { Card, Facts } from "../../../ui/card.js";
import { Copy } from "../../../ui/copy.js";
import { ConfirmButton } from "../../../ui/dialog-button.js";
import { Deliveries } from "./deliveries.js";
import { Environment } from "./keys.js";
import { outcomeWords } from "./outcome.js";

type Webhook = operator.OperatorWebhook;
const route = getRouteApi("/operations/accounts/$id");

const eventWords: Readonly<Record<string, string>> = {
  "dispatch.create": "new dispatches",
  "dispatch.update": "changes of dispatches",
};

export const WebhookCard = ({ webhook }: { readonly webhook: Webhook }) => {
  const { id, environment, url, events, created_at } = webhook;
  const writes = mayWrite(useUser());
  const { webhook: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const isOpen = chosen === id;
  const toggle = () =>
    void navigate({ search: isOpen ? { tab: "webhooks" } : { tab: "webhooks", webhook: id }, resetScroll: false });
  return (
    <Card title={<span className="break-all">{url}</span>} actions={<Environment of={environment} />}>
      <Facts
        facts={[
          ["Is told of", events.map((event) => eventWords[event] ?? event).join(" and ")],
          ["Registered", dayAndClock(created_at)],
          ["Id", <code key="id">{id}</code>],
          // An auditor is not shown what requests are signed with, whatever the service answers.
          ...(writes ? [["Secret", <Secrets key="secrets" webhook={webhook} />] as const] : []),
        ]}
      />
      {writes && <Test id={id} />}
      <div className="mt-3">
        <Button aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? "Hide deliveries" : "Show deliveries"}
        </Button>
      </div>
      {isOpen && <Deliveries webhookId={id} environment={environment} />}
    </Card>
  );
};

const Secrets = ({ webhook: { id, url, secrets } }: { readonly webhook: Webhook }) => {
  const [shown, setShown] = useState(false);
  const rotate = useChange(() => callOperator("POST", "/webhooks/{id}/rotate-secret", { params: { id } }), {
    done: "The webhook has a new secret. For 24 hours requests are signed with both.",
    after: () => setShown(true),
  });
  return (
    <div className="grid gap-2">
      {shown &&
        secrets.map((secret, index) => (
          <div key={secret}>
            <Copy text={secret} label={index === 0 ? "the secret" : "the secret before"} />
            {index > 0 && (
              <span className="text-sm text-muted">The one before; it ends 24 hours after the change.</span>
            )}
          </div>
        ))}
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? "Hide" : "Show the secret"}
        </Button>
        <ConfirmButton
          label="New secret"
          title="Give this webhook a new secret?"
          run={() => rotate.run(undefined)}
          busy={rotate.isPending}
        >
          Requests to {url} are signed with both secrets for 24 hours; the receiver has to know the new one by then.
        </ConfirmButton>
      </div>
    </div>
  );
};

type Tested = Awaited<ReturnType<typeof test>>;
const test = (id: string) => callOperator("POST", "/webhooks/{id}/test", { params: { id } });

const Test = ({ id }: { readonly id: string }) => {
  const [tested, setTested] = useState<Tested | null>(null);
  const send = useChange(test, { after: setTested });
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <Button onClick={() => send.run(id)} busy={send.isPending && "Testing…"}>
        Test now
      </Button>
      <span role="status" className={tested?.ok === true ? "text-good" : "text-bad"}>
        {tested !== null && `${tested.ok ? "It works" : "It does not work"}: ${outcomeWords(tested)}.`}
      </span>
    </div>
  );
};
