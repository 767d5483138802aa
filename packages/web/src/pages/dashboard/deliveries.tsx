import type { operator } from "@curtail/contract";
import { callConsole } from "../../api/call.js";
import { useConsoleList } from "../../api/use-call.js";
import { Deliveries } from "../../parts/deliveries.js";
import type { Column } from "../../ui/table.js";
import { TextLink } from "../../ui/text-link.js";

const dispatch: Column<operator.Delivery> = {
  head: "Dispatch",
  wide: true,
  cell: ({ dispatch_id }) => (
    <TextLink to="/dashboard/dispatches/$id" params={{ id: dispatch_id }}>
      <span className="break-all">{dispatch_id}</span>
    </TextLink>
  ),
};

const webhook: Column<operator.Delivery> = {
  head: "Webhook",
  wide: true,
  cell: ({ webhook_id }) => (
    <TextLink to="/dashboard/webhooks/$id" params={{ id: webhook_id }}>
      <span className="break-all">{webhook_id}</span>
    </TextLink>
  ),
};

const resend = (id: string) => callConsole("POST", "/deliveries/{id}/resend", { params: { id } });

export const WebhookDeliveries = ({ id }: { readonly id: string }) => (
  <Deliveries
    list={useConsoleList("/webhooks/{id}/deliveries", { params: { id } })}
    other={dispatch}
    empty="Nothing was sent yet. The next dispatch that calls your sites is told here."
    resend={resend}
  />
);

export const DispatchDeliveries = ({ id, timeZone }: { readonly id: string; readonly timeZone: string }) => (
  <Deliveries
    list={useConsoleList("/dispatches/{id}/deliveries", { params: { id } })}
    other={webhook}
    empty="No webhook was told of this dispatch."
    resend={resend}
    timeZone={timeZone}
  />
);
