import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { type ApiKey, stateOf } from "../../domain/api-key.js";
import { isRefusal, notFound } from "../../domain/refusal.js";
import { formatTimestamp } from "../../domain/timestamp.js";
import { issueKey, revokeKey } from "../../operations/manage-keys.js";
import { serve } from "../endpoint.js";
import { listed } from "../page.js";
import { moments } from "../timestamps.js";
import { actorOf } from "./actor.js";
import type { OperatorPorts } from "./operator-ports.js";

const orNull = (at: Date | null): string | null => (at === null ? null : formatTimestamp(at));

const toWire = (key: ApiKey, now: Date): operator.ApiKey => ({
  id: key.id,
  environment: key.environment,
  state: stateOf(key, now),
  created_at: formatTimestamp(key.createdAt),
  claimed_at: orNull(key.claimedAt),
  expires_at: orNull(key.expiresAt),
  revoked_at: orNull(key.revokedAt),
  last_used_at: orNull(key.lastUsedAt),
});

export const keyRoutes = (app: FastifyInstance, ports: OperatorPorts): void => {
  serve(app, operator.createKey, async ({ params, body, request }) => {
    const times = moments({ expires_at: body.expires_at });
    if (isRefusal(times)) return times;
    const input = { accountId: params.id, environment: body.environment, expiresAt: times.expires_at ?? null };
    const issued = await issueKey(ports, actorOf(request), input);
    if (isRefusal(issued)) return issued;
    const { key, claimToken } = issued;
    return {
      id: key.id,
      environment: key.environment,
      claim_url: `${ports.publicUrl}/claim/${claimToken}`,
      claim_expires_at: formatTimestamp(key.claimExpiresAt),
      expires_at: orNull(key.expiresAt),
    };
  });
  serve(app, operator.listKeys, async ({ params, query }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    const now = ports.clock.now();
    return listed(
      query,
      (page) => ports.stores.keys.list(params.id, page),
      (key) => toWire(key, now),
    );
  });
  serve(app, operator.revokeKey, async ({ params, request }) => {
    const revoked = await revokeKey(ports, actorOf(request), params.id);
    ports.forgetKeys();
    return isRefusal(revoked) ? revoked : undefined;
  });
};
