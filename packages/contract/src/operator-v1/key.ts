import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { byId, id, moment, nullable } from "../values.js";
import { ConfirmRunningQuery } from "./confirm-running.js";
import { environments, PageQuery, pageOf } from "./list.js";

const Environment = Type.Enum([...environments], { description: "Environment that accepts the key." });
const expiresAt = nullable(moment("When the key expires; null for never.", "nextYear"));

/** An API key as the operator sees it. The key itself is shown once, to the person who opens its link. */
export const ApiKey = Type.Object(
  {
    id: id("key"),
    environment: Environment,
    state: Type.Enum(["unclaimed", "active", "revoked", "expired"], {
      description: "`unclaimed`: its one-time link has not been used. `expired`: the link or the key has expired.",
      examples: ["active"],
    }),
    created_at: moment("When the key was issued.", "created"),
    claimed_at: nullable(moment("When the one-time link was used; null before.", "created")),
    expires_at: expiresAt,
    revoked_at: nullable(moment("When the key was revoked; null unless it was.", "later")),
    last_used_at: nullable(moment("When the key was last used; null if never.")),
  },
  { $id: "ApiKey", description: "An API key, without its secret." },
);
export type ApiKey = Static<typeof ApiKey>;

export const KeyClaim = Type.Object(
  {
    id: id("key"),
    environment: Environment,
    claim_url: Type.String({
      format: "uri",
      description: "One-time link. It shows the key once, after a click on its button.",
      examples: ["https://dr.example.com/claim/kQ3vZ8rT1xW6yB4n"],
    }),
    claim_expires_at: moment("When the link expires.", "notified"),
    expires_at: expiresAt,
  },
  { $id: "KeyClaim", description: "A one-time link to a new API key." },
);

export const createKey = endpoint({
  id: "createKey",
  method: "POST",
  path: "/accounts/{id}/keys",
  once: "within",
  tag: "Keys",
  summary: "Issue an API key through a one-time link",
  description:
    "Send the link to the participant. The key is generated when the link is opened, within 24 hours, and is shown only then. An account may have 100 keys per environment, including unopened links.",
  params: byId("account"),
  body: Type.Object({ environment: Environment, expires_at: Type.Optional(expiresAt) }),
  reply: KeyClaim,
  status: 201,
});
export const listKeys = endpoint({
  id: "listKeys",
  method: "GET",
  path: "/accounts/{id}/keys",
  tag: "Keys",
  summary: "List API keys",
  description: "Returns the account's keys of both environments, including revoked and expired ones, without secrets.",
  params: byId("account"),
  query: PageQuery,
  reply: pageOf(ApiKey),
});
export const revokeKey = endpoint({
  id: "revokeKey",
  method: "DELETE",
  path: "/keys/{id}",
  tag: "Keys",
  summary: "Revoke an API key",
  description: "Requests with the key get 401 at once, and an unopened link stops working. This cannot be undone.",
  params: byId("key"),
  query: ConfirmRunningQuery,
  status: 204,
});
