import type { operator } from "@curtail/contract";
import { useMemo } from "react";
import { useOperatorList } from "../../../api/use-call.js";
import { useWhole } from "../../../api/use-whole.js";
import { Deliveries } from "../../../parts/deliveries.js";
import { Card } from "../../../ui/card.js";
import type { Column } from "../../../ui/table.js";
import type { Dispatch } from "../dispatch.js";
import { resendIn } from "../resend.js";

/** What webhooks were sent of it. */
export const DispatchDeliveries = ({ dispatch: { id, program } }: { readonly dispatch: Dispatch }) => (
  <Card title="Webhook deliveries" flush>
    <Deliveries
      list={useOperatorList("/dispatches/{id}/deliveries", { params: { id }, query: { limit: 100 } })}
      other={webhookOf(useWebhookUrls(id))}
      empty="No webhook was sent anything of this dispatch: no account that it calls has one, or it is not told yet."
      resend={resendIn("production")}
      timeZone={program.timezone}
    />
  </Card>
);

const webhookOf = (urls: ReadonlyMap<string, string>): Column<operator.Delivery> => ({
  head: "Webhook",
  wide: true,
  cell: ({ webhook_id }) => <span className="break-all">{urls.get(webhook_id) ?? webhook_id}</span>,
});

/** Addresses of webhooks by id, as the evidence has them. */
const useWebhookUrls = (dispatchId: string): ReadonlyMap<string, string> => {
  const { items } = useWhole(
    useOperatorList("/dispatches/{id}/evidence", { params: { id: dispatchId }, query: { limit: 500 } }),
  );
  return useMemo(
    () =>
      new Map(
        items.flatMap(({ detail: { webhook_id, url } }) =>
          webhook_id === undefined || url === undefined ? [] : [[webhook_id, url] as const],
        ),
      ),
    [items],
  );
};
