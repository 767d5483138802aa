import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import { id, integer, moment } from "../values.js";
import { WebhookEventName } from "./webhook.js";

const Resend = Type.Object(
  {
    id: id("resend"),
    at: moment("When it was asked for, to the second.", "notified"),
    delivery_id: id("delivery", "Delivery that was resent: the `webhook-id` of its requests."),
    webhook_id: id("webhook", "Webhook that was notified again."),
    event: WebhookEventName,
    dispatch_id: id("dispatch", "Dispatch that the notification names."),
    modification_number: integer("Modification of the dispatch that the notification was about.", 0),
  },
  { $id: "Resend", description: "A notification that you or the operator had resent to a webhook." },
);

export const listResends = endpoint({
  id: "listResends",
  method: "GET",
  path: "/resends",
  tag: "Webhooks",
  summary: "List resends of the last day, newest first",
  description:
    "An extension of the interface. Returns each time when you or the operator resent a notification to one of your webhooks in this environment, in the previous 24 hours. Systems that no webhook can reach, such as `curtail listen`, follow resends by this list. Successful requests of this list are left out of `GET /requests`.",
  query: PageQuery,
  reply: pageOf(Resend),
});
