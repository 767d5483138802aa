import type { operator } from "@curtail/contract";
import { MAX_PAGE } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useMemo } from "react";
import { useOperatorList } from "../../../api/use-call.js";
import { useWhole } from "../../../api/use-whole.js";
import { Deliveries } from "../../../parts/deliveries.js";
import { Card } from "../../../ui/card.js";
import type { Column } from "../../../ui/table.js";
import { resendIn } from "../resend.js";
import { useAccountNames } from "../use-accounts.js";
import type { Dispatch } from "./dispatch.js";

/** Webhook deliveries of a dispatch. */
export const DispatchDeliveries = ({ dispatch: { id, program } }: { readonly dispatch: Dispatch }) => (
  <Card title={say("Webhook deliveries")} flush>
    <Deliveries
      list={useOperatorList("/dispatches/{id}/deliveries", { params: { id }, query: { limit: 100 } })}
      others={columnsOf(useWebhooks(id), useAccountNames())}
      empty={say(
        "No webhook deliveries. Either no dispatched account has a webhook, or the notification time is still ahead.",
      )}
      resend={resendIn("production")}
      timeZone={program.timezone}
    />
  </Card>
);

interface Webhook {
  readonly url: string;
  readonly accountId: string;
}

const columnsOf = (
  webhooks: ReadonlyMap<string, Webhook>,
  names: ReadonlyMap<string, string>,
): readonly Column<operator.Delivery>[] => [
  {
    head: say("Account"),
    cell: ({ webhook_id }) => {
      const { accountId } = webhooks.get(webhook_id) ?? {};
      return accountId === undefined ? "–" : (names.get(accountId) ?? accountId);
    },
  },
  {
    head: say("Webhook"),
    wide: true,
    cell: ({ webhook_id }) => <span className="break-all">{webhooks.get(webhook_id)?.url ?? webhook_id}</span>,
  },
];

/** Webhooks of the evidence by id. */
const useWebhooks = (dispatchId: string): ReadonlyMap<string, Webhook> => {
  const { items } = useWhole(
    useOperatorList("/dispatches/{id}/evidence", { params: { id: dispatchId }, query: { limit: MAX_PAGE } }),
  );
  return useMemo(
    () =>
      new Map(
        items.flatMap(({ account_id: accountId, detail: { webhook_id, url } }) =>
          webhook_id === undefined || url === undefined ? [] : [[webhook_id, { url, accountId }] as const],
        ),
      ),
    [items],
  );
};
