import type { Notification } from "./endpoint.js";
import { type Components, pascal, reference } from "./openapi-components.js";

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

// Standard Webhooks, G29.
const headers = [
  header("webhook-id", "Id of the delivery. A retry has the same id.", "dlv_5d1f0a7c93e84b62a0f4c8d217b6e935"),
  header("webhook-timestamp", "Time of the request, in seconds of Unix time.", "1782928800"),
  header(
    "webhook-signature",
    "Signatures, separated by spaces. Each is `v1,` followed by the base64 of the HMAC-SHA256 of id, timestamp and body, joined by dots.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
];

/** The requests that the service sends, in OpenAPI 3.1. */
export const webhooksOf = (notifications: readonly Notification[], components: Components) =>
  Object.fromEntries(
    notifications.map(({ name, summary, description, body, failure }) => [
      name,
      {
        post: {
          operationId: `on${pascal(name)}`,
          tags: ["Webhooks"],
          summary,
          description,
          // The requests are signed; they carry no key.
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: {
              "application/json": { schema: reference(body, components, `${pascal(name)}Notification`, `${summary}.`) },
            },
          },
          responses: {
            "200": { description: "Success. 201, 202 and 204 count as success, too." },
            default: { description: failure },
          },
        },
      },
    ]),
  );
