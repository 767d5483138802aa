import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id, nullable, Timestamp } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";

const Environment = Type.Enum(["production", "sandbox"], { description: "Where the key is accepted." });

/** An API key as the operator sees it; the key itself is shown once, to whoever claims it. */
export const ApiKey = Type.Object(
  {
    id: id("key", "Key id."),
    environment: Environment,
    state: Type.Enum(["unclaimed", "active", "revoked", "expired"]),
    created_at: Timestamp,
    claimed_at: nullable(Timestamp),
    expires_at: nullable(Timestamp),
    revoked_at: nullable(Timestamp),
    last_used_at: nullable(Timestamp),
  },
  { $id: "ApiKey" },
);
export type ApiKey = Static<typeof ApiKey>;

export const KeyClaim = Type.Object(
  {
    id: id("key", "Key id."),
    environment: Environment,
    claim_url: Type.String({ description: "One-time link: opening it and pressing the button shows the key, once." }),
    claim_expires_at: Timestamp,
    expires_at: nullable(Timestamp),
  },
  { $id: "KeyClaim" },
);

export const createKey = endpoint({
  id: "createKey",
  method: "POST",
  path: "/accounts/{id}/keys",
  once: "within",
  tag: "Keys",
  summary: "Issue an API key through a one-time link",
  params: byId,
  body: Type.Object({ environment: Environment, expires_at: Type.Optional(nullable(Timestamp)) }),
  reply: KeyClaim,
  status: 201,
});
export const listKeys = endpoint({
  id: "listKeys",
  method: "GET",
  path: "/accounts/{id}/keys",
  tag: "Keys",
  summary: "List API keys",
  params: byId,
  query: PageQuery,
  reply: pageOf(ApiKey),
});
export const revokeKey = endpoint({
  id: "revokeKey",
  method: "DELETE",
  path: "/keys/{id}",
  tag: "Keys",
  summary: "Revoke an API key at once",
  params: byId,
  status: 204,
});
