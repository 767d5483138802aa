import type { Webhook } from "@curtail/contract";
import { mayWrite, useUser } from "../../api/session.js";
import { useConsole } from "../../api/use-call.js";
import { eventWords } from "../../parts/webhook-events.js";
import { Badge } from "../../ui/badge.js";
import { Card, PageHead } from "../../ui/card.js";
import { DialogButton } from "../../ui/dialog-button.js";
import { Answered } from "../../ui/state.js";
import { Table } from "../../ui/table.js";
import { TextLink } from "../../ui/text-link.js";
import { NewWebhook } from "./new-webhook.js";

/** The addresses that are told of dispatches. */
export const WebhooksPage = () => {
  const writes = mayWrite(useUser());
  return (
    <>
      <PageHead
        title="Webhooks"
        lead="Addresses of yours that are told of dispatches and their changes, at once."
        actions={
          writes && (
            <DialogButton look="primary" label="Add webhook">
              {(close) => <NewWebhook onClose={close} />}
            </DialogButton>
          )
        }
      />
      <Card flush>
        <Answered of={useConsole("/webhooks", {})}>
          {({ webhooks }) => <List webhooks={webhooks} writes={writes} />}
        </Answered>
      </Card>
    </>
  );
};

const List = ({ webhooks, writes }: { readonly webhooks: readonly Webhook[]; readonly writes: boolean }) => (
  <Table
    label="Webhooks"
    rows={webhooks}
    keyOf={({ id }) => id}
    empty={
      writes
        ? "No webhooks yet. Add the address of your system; without one, poll for dispatches or use OpenADR."
        : "No webhooks yet. An admin of your account adds them."
    }
    columns={[
      {
        head: "Address",
        cell: ({ id, url }) => (
          <TextLink to="/dashboard/webhooks/$id" params={{ id }}>
            <span className="break-all">{url}</span>
          </TextLink>
        ),
      },
      {
        head: "Told of",
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
