import type { operator } from "@curtail/contract";
import { type Scope, scopes } from "@curtail/openadr-3";
import { momentToWire } from "../../platform/http/timestamps.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { ManagedClient } from "../operations/manage-clients.js";

export const clientToWire = ({ client, ven }: ManagedClient): operator.Openadr3Client => ({
  id: client.id,
  role: client.role,
  account_id: client.accountId,
  environment: client.environment,
  name: client.name,
  sites: client.siteIds === null ? "all" : [...client.siteIds],
  scopes: scopes.filter((scope: Scope) => client.scopes.includes(scope)),
  targets: [...(ven?.targets ?? [])],
  ven_id: ven?.id ?? null,
  external_id: client.externalId,
  state: client.revokedAt === null ? "active" : "revoked",
  previous_secret_until: momentToWire(client.previousSecretUntil),
  created_at: formatTimestamp(client.createdAt),
  revoked_at: momentToWire(client.revokedAt),
  last_used_at: momentToWire(client.lastUsedAt),
});
