import type { operator } from "@curtail/contract";
import { type Scope, scopes } from "@curtail/openadr-3";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { ManagedClient } from "../operations/manage-clients.js";

const orNull = (at: Date | null): string | null => (at === null ? null : formatTimestamp(at));

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
  previous_secret_until: orNull(client.previousSecretUntil),
  created_at: formatTimestamp(client.createdAt),
  revoked_at: orNull(client.revokedAt),
  last_used_at: orNull(client.lastUsedAt),
});
