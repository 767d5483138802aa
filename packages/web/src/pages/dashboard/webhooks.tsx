import type { Webhook } from "@curtail/contract";
import { useUser } from "../../api/session.js";
import { useConsole } from "../../api/use-call.js";
import { Environment, type EnvironmentName } from "../../parts/environment.js";
import { eventWords } from "../../parts/webhook-events.js";
import { mayWrite } from "../../rules/role.js";
import { Badge } from "../../ui/badge.js";
import { Card, PageHead, Stack } from "../../ui/card.js";
import { DialogButton } from "../../ui/dialog-button.js";
import { Answered } from "../../ui/state.js";
import { Table } from "../../ui/table.js";
import { TextLink } from "../../ui/text-link.js";
import { NewWebhook } from "./webhooks/new-webhook.js";

/** The account's webhooks. */
export const WebhooksPage = () => {
  const writes = mayWrite(useUser());
  return (
    <>
      <PageHead
        title="Webhooks"
        lead="Webhooks notify your systems of dispatches and changes immediately."
        actions={
          writes && (
            <DialogButton look="primary" label="Add webhook">
              {(close) => <NewWebhook onClose={close} />}
            </DialogButton>
          )
        }
      />
      <Stack>
        <Card flush>
          <Answered of={useConsole("/webhooks", {})}>
            {({ webhooks }) => (
              <List
                label="Webhooks"
                environment="production"
                webhooks={webhooks}
                empty={
                  writes
                    ? "No webhooks yet. Add the address of your system, or poll for dispatches, or use OpenADR."
                    : "No webhooks yet. An admin of your account can add them."
                }
              />
            )}
          </Answered>
        </Card>
        <Card title={<Environment of="sandbox" />} flush>
          <Answered of={useConsole("/webhooks", { query: { environment: "sandbox" } })}>
            {({ webhooks }) => (
              <List
                label="Sandbox webhooks"
                environment="sandbox"
                webhooks={webhooks}
                empty="No webhooks in the sandbox yet. Sandbox webhooks are notified of the scenarios that you run."
              />
            )}
          </Answered>
        </Card>
      </Stack>
    </>
  );
};

interface Listing {
  readonly label: string;
  readonly environment: EnvironmentName;
  readonly webhooks: readonly Webhook[];
  readonly empty: string;
}

const List = ({ label, environment, webhooks, empty }: Listing) => (
  <Table
    label={label}
    rows={webhooks}
    keyOf={({ id }) => id}
    empty={empty}
    columns={[
      {
        head: "Address",
        cell: ({ id, url }) => (
          <TextLink
            to="/dashboard/webhooks/$id"
            params={{ id }}
            search={environment === "sandbox" ? { environment } : {}}
          >
            <span className="break-all">{url}</span>
          </TextLink>
        ),
      },
      {
        head: "Events",
        cell: ({ events }) => (
          <span className="flex flex-wrap gap-1">
            {events.map(({ name }) => (
              <Badge key={name}>{eventWords[name]}</Badge>
            ))}
          </span>
        ),
      },
    ]}
  />
);
