import Type from "typebox";
import type { Notification } from "../endpoint.js";

const bodyOf = (name: string, resource: Parameters<typeof Type.String>[0]) =>
  Type.Object({
    event: Type.Object({ name: Type.Literal(name, { description: "What happened." }) }, { description: "The event." }),
    resource: Type.String(resource),
  });

const resource = {
  description: "Where to fetch the dispatch, below the address of the service.",
  examples: ["/2022-04-15/dispatches/dis_4f9k2m7q1x8c"],
};

const repeated = "A failure. The request is repeated, up to five attempts in all.";

/** What webhooks are sent. */
export const notifications: readonly Notification[] = [
  {
    name: "dispatch.create",
    summary: "A dispatch was created",
    description: "Sent at the notification time of a dispatch. Fetch `resource` to learn its times, sites and program.",
    body: bodyOf("dispatch.create", resource),
    failure: repeated,
  },
  {
    name: "dispatch.update",
    summary: "A dispatch was changed, ended or cancelled",
    description:
      "Fetch `resource` again: stop curtailing where `authorized` is false or `end_time` has passed, and take over its times otherwise.",
    body: bodyOf("dispatch.update", resource),
    failure: repeated,
  },
  {
    name: "test",
    summary: "The address is tested",
    description:
      "Sent when a webhook is registered, and when somebody asks for a test. Answer with success; nothing happened.",
    body: bodyOf("", { description: "Empty: there is nothing to fetch.", const: "" }),
    failure: "The test failed. A webhook that is being registered is not created.",
  },
];

/** How they are sent; part of the introduction of the documents. */
export const aboutNotifications = `## Webhooks

Register an address with \`POST /webhooks\`; it is sent a POST request within a second of every event that it is registered
for, as described under _Webhooks_ below. The body names the event and where to fetch the dispatch.

Answer 200, 201, 202 or 204 within 10 seconds. 301 and 302 are followed. Anything else is a failure: the request is
repeated after 2, 6, 18 and 54 seconds. An event may arrive more than once; \`webhook-id\` is the same then.

Every request is signed as [Standard Webhooks](https://www.standardwebhooks.com) says. To check a signature:

1. Decode the part of the webhook's secret after \`whsec_\` from base64. The dashboard shows the secret.
2. Compute the HMAC-SHA256 with it of \`webhook-id\`, \`webhook-timestamp\` and the body as it arrived, joined by dots.
3. Compare its base64 with each part of \`webhook-signature\` that begins with \`v1,\`. One match is enough: while a secret is
   replaced, requests carry two signatures.
4. Refuse a \`webhook-timestamp\` that is more than five minutes off.
`;
