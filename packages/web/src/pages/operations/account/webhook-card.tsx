import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { callOperator } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { Environment } from "../../../parts/environment.js";
import { eventsWords } from "../../../parts/webhook-events.js";
import { WebhookSecrets } from "../../../parts/webhook-secrets.js";
import { WebhookTest } from "../../../parts/webhook-test.js";
import { mayWrite } from "../../../rules/role.js";
import { Button } from "../../../ui/button.js";
import { Card, Facts } from "../../../ui/card.js";
import { DayAndClock } from "../../../ui/page-zone.js";
import { WebhookDeliveries } from "./deliveries.js";

type Webhook = operator.OperatorWebhook;
const route = getRouteApi("/operations/accounts/$id");

type Of = Pick<Webhook, "id" | "environment">;

const test = ({ id, environment }: Of) =>
  callOperator("POST", "/webhooks/{id}/test", { params: { id }, query: { environment } });
const rotate = ({ id, environment }: Of) =>
  callOperator("POST", "/webhooks/{id}/rotate-secret", { params: { id }, query: { environment } });

export const WebhookCard = ({ webhook }: { readonly webhook: Webhook }) => {
  const { id, environment, url, events, created_at, secrets } = webhook;
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
          [say("Events"), eventsWords(events)],
          [say("Registered"), <DayAndClock key="registered" at={created_at} />],
          [say("Id"), <code key="id">{id}</code>],
          // An auditor never sees signing secrets, even if the response had them.
          ...(writes
            ? [
                [
                  say("Secret"),
                  <WebhookSecrets key="secret" secrets={secrets} rotate={() => rotate(webhook)} />,
                ] as const,
              ]
            : []),
        ]}
      />
      {writes && <WebhookTest run={() => test(webhook)} />}
      <div className="mt-3">
        <Button aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? say("Hide deliveries") : say("Show deliveries")}
        </Button>
      </div>
      {isOpen && <WebhookDeliveries id={id} environment={environment} />}
    </Card>
  );
};
