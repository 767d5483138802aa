import Type from "typebox";
import { SECRET_OVERLAP_HOURS } from "../constants.js";
import { exampleOf } from "../dated-endpoint.js";
import { type DatedVersion, sentenceWordingOf } from "../dated-version.js";
import type { Notification } from "../endpoint.js";

const RESOURCE = "/2022-04-15/dispatches/dis_4f9k2m7q1x8c";

/** A notification of a webhook that was registered under an earlier version: its resource is a path of that version. */
export const datedNotification = (version: DatedVersion, { description, body, ...of }: Notification): Notification => ({
  ...of,
  description: sentenceWordingOf(version)(description),
  body: JSON.parse(
    JSON.stringify(body).replaceAll(RESOURCE, `/${version.date}/dispatches/${exampleOf("dispatch")}`),
  ) as Notification["body"],
});

const bodyOf = (name: string, resource: Parameters<typeof Type.String>[0]) =>
  Type.Object({
    event: Type.Object(
      { name: Type.Literal(name, { description: "Name of the event." }) },
      { description: "The event." },
    ),
    resource: Type.String(resource),
  });

const resource = {
  description: "Path of the dispatch, relative to the address of the service.",
  examples: [RESOURCE],
};

const failure = "The attempt failed. The request is retried, up to five attempts in all.";

/** The requests that webhooks receive. */
export const notifications: readonly Notification[] = [
  {
    name: "dispatch.create",
    summary: "A dispatch was created",
    description: "Sent at the notification time of a dispatch. Fetch `resource` for its times, sites and program.",
    body: bodyOf("dispatch.create", resource),
    failure,
  },
  {
    name: "dispatch.update",
    summary: "A dispatch was changed, ended or cancelled",
    description:
      "Fetch `resource` again. If `authorized` is false or `end_time` has passed, stop curtailing; otherwise apply the new times.",
    body: bodyOf("dispatch.update", resource),
    failure,
  },
  {
    name: "test",
    summary: "A test of the address",
    description: "Sent when a webhook is registered, and on request. Answer with success; there is nothing else to do.",
    body: bodyOf("", { description: "Empty: there is nothing to fetch.", const: "" }),
    failure: "The test failed. A webhook that is being registered is not created.",
  },
];

/** How notifications are sent, for the introduction of the documents; Markdown. */
export const aboutNotifications = `## Webhooks

Register an address with \`POST /webhooks\`. Within a second of each event, the service sends it a POST request, described
under _Webhooks_ below. The body names the event and the path of the dispatch.

Answer 200, 201, 202 or 204 within 10 seconds. Redirects (301 and 302) are followed. Any other answer is a failure: the
request is retried after 2, 6, 18 and 54 seconds. An event may arrive more than once, with the same \`webhook-id\`.

Every request is signed according to [Standard Webhooks](https://www.standardwebhooks.com). To verify a signature:

1. Take the part of the webhook's secret after \`whsec_\` and decode it from base64. The dashboard shows the secret.
2. Compute the HMAC-SHA256 of \`webhook-id\`, \`webhook-timestamp\` and the raw body, joined by dots.
3. Compare its base64 with each part of \`webhook-signature\` that begins with \`v1,\`. One match is enough: for ${SECRET_OVERLAP_HOURS} hours after a
   rotation, requests carry two signatures.
4. Reject a \`webhook-timestamp\` that is more than five minutes off.
`;
