import { operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { Within } from "../../platform/answer-once.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { PublicAddress } from "../../platform/http/public-url.js";
import { type OncePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments, momentToWire } from "../../platform/http/timestamps.js";
import { done, isRefusal, mapResult, notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { managerOf } from "../caller/actor.js";
import { personOf } from "../caller/person.js";
import { type ApiKey, stateOf } from "../domain/api-key.js";
import { type IssuedKey, issueKey, type KeyPorts, type KeyStores, revokeKey } from "../operations/manage-keys.js";

export type KeyRoutePorts = KeyPorts & OncePorts<Within<KeyStores>> & PublicAddress;

/** Keys of any account. */
export const keyRoutes = (app: FastifyInstance, ports: KeyRoutePorts): void => {
  serveOnce(app, operator.createKey, ports, async ({ params, body, request }, ports) => {
    const times = moments({ expires_at: body.expires_at });
    if (isRefusal(times)) return times;
    const input = { accountId: params.id, environment: body.environment, expiresAt: times.expires_at ?? null };
    return mapResult(issueKey(ports, managerOf(request), input), (issued) => issuedToWire(issued, ports.publicUrl));
  });
  serve(app, operator.listKeys, async ({ params, query }) =>
    (await ports.stores.accounts.find(params.id)) === null ? notFound("account") : keysOf(ports, params.id, query),
  );
  serve(app, operator.revokeKey, ({ params, query, request }) =>
    done(revokeKey(ports, managerOf(request), params.id, query.confirm_running === "true")),
  );
};

/** The caller's own keys, in production and in the sandbox. */
export const ownKeyRoutes = (app: FastifyInstance, ports: KeyRoutePorts): void => {
  serveOnce(app, participantConsole.createOwnKey, ports, async ({ body, request }, ports) => {
    const times = moments({ expires_at: body.expires_at });
    if (isRefusal(times)) return times;
    const person = personOf(request);
    const { environment } = body;
    const input = { accountId: person.within, environment, expiresAt: times.expires_at ?? null };
    return mapResult(issueKey(ports, person, input), (issued) => issuedToWire(issued, ports.publicUrl));
  });
  serve(app, participantConsole.listOwnKeys, ({ query, request }) => keysOf(ports, personOf(request).within, query));
  serve(app, participantConsole.revokeOwnKey, ({ params, query, request }) =>
    done(revokeKey(ports, personOf(request), params.id, query.confirm_running === "true")),
  );
};

const keysOf = ({ stores, clock }: KeyRoutePorts, accountId: string, query: Parameters<typeof listed>[0]) => {
  const now = clock.now();
  return listed(
    query,
    (page) => stores.keys.list(accountId, page),
    (key) => keyToWire(key, now),
  );
};

const keyToWire = (key: ApiKey, now: Date): operator.ApiKey => ({
  id: key.id,
  environment: key.environment,
  state: stateOf(key, now),
  created_at: formatTimestamp(key.createdAt),
  claimed_at: momentToWire(key.claimedAt),
  expires_at: momentToWire(key.expiresAt),
  revoked_at: momentToWire(key.revokedAt),
  last_used_at: momentToWire(key.lastUsedAt),
});

/** An issued key with its one-time link. */
const issuedToWire = ({ key, claimToken }: IssuedKey, publicUrl: string) => ({
  id: key.id,
  environment: key.environment,
  claim_url: `${publicUrl}/claim/${claimToken}`,
  claim_expires_at: formatTimestamp(key.claimExpiresAt),
  expires_at: momentToWire(key.expiresAt),
});
