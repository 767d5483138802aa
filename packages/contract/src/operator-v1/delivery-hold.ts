import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { sendingChannels } from "../lists/channels.js";
import { boolean, integer, moment, nullable } from "../values.js";

/** Channels that send by themselves, and are held. */
export const heldChannels = [...sendingChannels, "mqtt", "sandbox"] as const;

export const DeliveryHold = Type.Object(
  {
    held: boolean("Whether delivery is held: no webhook, callback, push, email or phone message is sent.", true),
    held_at: nullable(
      moment("When the backup was restored, or `curtail backup hold` was run; null if delivery is not held."),
    ),
    backup_at: nullable(
      moment("The moment that the service was restored to; null if delivery is not held.", "created"),
    ),
    waiting: integer(
      "Notices of dispatches, deliveries to webhooks (also of the sandbox), emails, phone messages, notifications of people, pushes to VENs, callbacks of OpenADR 3 and messages to an MQTT broker that are due and wait for the release.",
      12,
    ),
    outdated: integer(
      "Those of them whose dispatch is over, and notifications that an alarm ended more than a day ago: the release drops them, and records that.",
      3,
    ),
  },
  {
    $id: "DeliveryHold",
    description:
      "A service that was restored sends nothing until an operator releases it: the service before may have sent it already.",
  },
);
export type DeliveryHold = Static<typeof DeliveryHold>;

export const getDeliveryHold = endpoint({
  id: "getDeliveryHold",
  method: "GET",
  path: "/delivery-hold",
  tag: "Webhooks",
  summary: "Retrieve whether delivery is held",
  description:
    "After a restore, delivery is held: participants can poll, and nothing is sent to them. What waits is sent when delivery is released.",
  reply: DeliveryHold,
});

export const releaseDelivery = endpoint({
  id: "releaseDelivery",
  method: "DELETE",
  path: "/delivery-hold",
  tag: "Webhooks",
  summary: "Release delivery",
  description:
    "Sends what waits, from now on. What the service before the restore has sent after the backup is sent again, with the same `webhook-id`. What is about dispatches that are over is dropped by every channel: the evidence of the dispatch has it as `failed` with the reason `outdated`, and the audit log counts it. If delivery is not held, nothing changes.",
  reply: DeliveryHold,
});
