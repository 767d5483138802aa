import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { callConsole } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useConsole } from "../../api/use-call.js";
import { useChange } from "../../api/use-change.js";
import { Environment, type EnvironmentName } from "../../parts/environment.js";
import { Found } from "../../parts/found.js";
import { eventsWords } from "../../parts/webhook-events.js";
import { WebhookSecrets } from "../../parts/webhook-secrets.js";
import { WebhookTest } from "../../parts/webhook-test.js";
import { mayWrite } from "../../rules/role.js";
import { Card, Facts, PageHead, Stack } from "../../ui/card.js";
import { ConfirmButton } from "../../ui/dialog-button.js";
import { Exact } from "../../ui/page-zone.js";
import { WebhookDeliveries } from "./deliveries.js";

type Webhook = operator.OperatorWebhook;

const route = getRouteApi("/dashboard/webhooks/$id");

/** One webhook: secret, test and deliveries. */
export const WebhookPage = () => {
  const { id } = route.useParams();
  const environment = route.useSearch().environment === "sandbox" ? "sandbox" : "production";
  const writes = mayWrite(useUser());
  const named = { params: { id }, query: { environment } } as const;
  return (
    <Found of={useConsole("/webhooks/{id}", named)} what="webhook" back="/dashboard/webhooks">
      {(webhook) => (
        <>
          <PageHead
            title={<span className="break-all">{webhook.url}</span>}
            tab={`${webhook.url} · ${say("Webhook")}`}
            actions={writes && <Delete named={named} />}
          />
          <Stack>
            <Card title={say("Webhook details")}>
              <Facts
                facts={[
                  [say("Environment"), <Environment key="environment" of={environment} />],
                  [say("Events"), eventsWords(webhook.events)],
                  [say("Added"), <Exact key="added" at={webhook.created_at} />],
                  [say("Id"), <code key="id">{webhook.id}</code>],
                ]}
              />
              {writes && <WebhookTest run={() => callConsole("POST", "/webhooks/{id}/test", named)} />}
            </Card>
            <Secret named={named} secrets={webhook.secrets} writes={writes} />
            <Card title={say("Deliveries")} flush>
              <WebhookDeliveries id={id} environment={environment} />
            </Card>
          </Stack>
        </>
      )}
    </Found>
  );
};

/** Parameters that identify a webhook. */
interface Named {
  readonly params: { readonly id: string };
  readonly query: { readonly environment: EnvironmentName };
}

const Secret = ({
  named,
  secrets,
  writes,
}: Pick<Webhook, "secrets"> & { readonly named: Named; readonly writes: boolean }) => (
  <Card title={say("Secret")}>
    <p className="mb-3 max-w-prose text-muted">
      {say(
        "Every request is signed with the secret, as Standard Webhooks specifies (headers webhook-id, webhook-timestamp and webhook-signature). Verify the signature before you trust a request.",
      )}
    </p>
    {writes ? (
      <WebhookSecrets secrets={secrets} rotate={() => callConsole("POST", "/webhooks/{id}/rotate-secret", named)} />
    ) : (
      <p>{say("Only admins of your account can see the secret.")}</p>
    )}
  </Card>
);

const Delete = ({ named }: { readonly named: Named }) => {
  const navigate = useNavigate();
  const remove = useChange(() => callConsole("DELETE", "/webhooks/{id}", named), {
    done: say("Webhook deleted."),
    after: () => void navigate({ to: "/dashboard/webhooks" }),
  });
  return (
    <ConfirmButton
      label={say("Delete")}
      title={say("Delete this webhook?")}
      action={say("Delete webhook")}
      look="danger"
      run={() => remove.run(undefined)}
      busy={remove.isPending}
    >
      {say(
        "The webhook receives no further notifications, not even for dispatches in progress. Past deliveries are kept.",
      )}
    </ConfirmButton>
  );
};
