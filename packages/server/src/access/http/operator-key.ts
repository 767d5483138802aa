import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { Within } from "../../platform/answer-once.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { PublicAddress } from "../../platform/http/public-url.js";
import { type OncePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments } from "../../platform/http/timestamps.js";
import { isRefusal, notFound } from "../../platform/refusal.js";
import { managerOf } from "../caller/actor.js";
import type { KeyStores } from "../operations/manage-keys.js";
import { issueKey, type KeyPorts, revokeKey } from "../operations/manage-keys.js";
import { issuedToWire, keyToWire } from "./wire-key.js";

export type KeyRoutePorts = KeyPorts & OncePorts<Within<KeyStores>> & PublicAddress;

export const keyRoutes = (app: FastifyInstance, ports: KeyRoutePorts): void => {
  serveOnce(app, operator.createKey, ports, async ({ params, body, request }, ports) => {
    const times = moments({ expires_at: body.expires_at });
    if (isRefusal(times)) return times;
    const input = { accountId: params.id, environment: body.environment, expiresAt: times.expires_at ?? null };
    const issued = await issueKey(ports, managerOf(request), input);
    return isRefusal(issued) ? issued : issuedToWire(issued, ports.publicUrl);
  });
  serve(app, operator.listKeys, async ({ params, query }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    const now = ports.clock.now();
    return listed(
      query,
      (page) => ports.stores.keys.list(params.id, page),
      (key) => keyToWire(key, now),
    );
  });
  serve(app, operator.revokeKey, async ({ params, query, request }) => {
    const revoked = await revokeKey(ports, managerOf(request), params.id, query.confirm_running === "true");
    return isRefusal(revoked) ? revoked : undefined;
  });
};
