import type { Webhook } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { EnvironmentName } from "../../../parts/environment.js";
import { eventWords } from "../../../parts/webhook-events.js";
import { Badge } from "../../../ui/badge.js";
import { Table } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";

interface Listing {
  readonly label: string;
  readonly environment: EnvironmentName;
  readonly webhooks: readonly Webhook[];
  readonly empty: string;
}

/** The webhooks of one environment. */
export const WebhookList = ({ label, environment, webhooks, empty }: Listing) => (
  <Table
    label={label}
    rows={webhooks}
    keyOf={({ id }) => id}
    empty={empty}
    columns={[
      {
        head: say("Address"),
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
        head: say("Events"),
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
