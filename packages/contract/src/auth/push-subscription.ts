import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { boolean, byId, id, integer, moment, nullable, string, text } from "../values.js";

export const PushSubscription = Type.Object(
  {
    id: id("push_subscription"),
    name: string("Name of the browser.", "Firefox on Android"),
    created_at: moment("When the browser was registered.", "created"),
    last_success_at: nullable(moment("When a push service last accepted a message for it; null if it never did.")),
    last_error: nullable(string("Error of the last attempt; null if it succeeded.", "timeout")),
  },
  { $id: "PushSubscription", description: "A browser that shows notifications for you." },
);
export type PushSubscription = Static<typeof PushSubscription>;

export const listPushSubscriptions = endpoint({
  id: "listPushSubscriptions",
  method: "GET",
  path: "/push-subscriptions",
  tag: "Notifications",
  summary: "List your browsers that show notifications, oldest first",
  description:
    "A browser stays registered when its session expires. It is removed when you sign out in it, end its session or change your password elsewhere, and when its push service reports that the browser is gone.",
  reply: Type.Object({ items: Type.Array(PushSubscription, { description: "At most 20." }) }),
});

export const addPushSubscription = endpoint({
  id: "addPushSubscription",
  method: "POST",
  path: "/push-subscriptions",
  tag: "Notifications",
  summary: "Register a browser for notifications",
  description:
    "Takes what `PushSubscription.toJSON()` returns in the browser. Registering the same browser again renews it; registered by another person, it no longer shows notifications for the previous one.",
  body: Type.Object({
    endpoint: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: "Address of the browser at its push service. It must begin with `https://`.",
      examples: ["https://updates.push.services.example/wpush/v2/gAAAAABm"],
    }),
    keys: Type.Object(
      {
        p256dh: Type.String({
          maxLength: 200,
          description: "Public key of the browser, in base64url.",
          examples: ["BI5YHpT0RUrMDw7xUv8Im9T0-ejbLxHnuWIKAIaochxd-vDzwCd6WHoA1PMRtuulJuN1DdWcTuM06TjZWt1J7EY"],
        }),
        auth: Type.String({
          maxLength: 200,
          description: "Secret that messages are encrypted with, in base64url.",
          examples: ["0e7StHQzcy1oq0aYLYAQZA"],
        }),
      },
      { description: "Keys that messages are encrypted with, so that only the browser can read them." },
    ),
    name: text(100, "Name of the browser, such as its product and system.", "Firefox on Android", 1),
  }),
  status: 201,
  reply: PushSubscription,
});

export const removePushSubscription = endpoint({
  id: "removePushSubscription",
  method: "DELETE",
  path: "/push-subscriptions/{id}",
  tag: "Notifications",
  summary: "Remove one of your browsers",
  description: "It shows no further notifications. Those that its push service already has may still arrive.",
  params: byId("push_subscription"),
  status: 204,
});

export const testPushSubscription = endpoint({
  id: "testPushSubscription",
  method: "POST",
  path: "/push-subscriptions/{id}/test",
  tag: "Notifications",
  summary: "Send a test notification to one of your browsers",
  description: "Waits for the push service's answer. A browser that is gone is removed.",
  params: byId("push_subscription"),
  reply: Type.Object(
    {
      ok: boolean("Whether the push service accepted the message.", true),
      status: nullable(integer("HTTP status of the push service; null without an answer.", 201)),
      duration_ms: integer("Duration of the request, in milliseconds.", 84),
      error: nullable(string("Error code; null if it was accepted.", "timeout")),
      is_removed: boolean("Whether the browser is gone and was removed."),
    },
    { $id: "PushTest", description: "Outcome of a test notification." },
  ),
});
