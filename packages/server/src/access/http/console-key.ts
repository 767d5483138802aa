import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { Within } from "../../platform/answer-once.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { PublicAddress } from "../../platform/http/public-url.js";
import { type OncePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments } from "../../platform/http/timestamps.js";
import { isRefusal } from "../../platform/refusal.js";
import { personOf } from "../caller/person.js";
import type { KeyStores } from "../operations/manage-keys.js";
import { issueKey, type KeyPorts, revokeKey } from "../operations/manage-keys.js";
import { issuedToWire, keyToWire } from "./wire-key.js";

export type OwnKeyRoutePorts = KeyPorts & OncePorts<Within<KeyStores>> & PublicAddress;

/** The caller's own keys, in production and in the sandbox. */
export const ownKeyRoutes = (app: FastifyInstance, ports: OwnKeyRoutePorts): void => {
  serveOnce(app, participantConsole.createOwnKey, ports, async ({ body, request }, ports) => {
    const times = moments({ expires_at: body.expires_at });
    if (isRefusal(times)) return times;
    const person = personOf(request);
    const { environment } = body;
    const input = { accountId: person.within, environment, expiresAt: times.expires_at ?? null };
    const issued = await issueKey(ports, person, input);
    return isRefusal(issued) ? issued : issuedToWire(issued, ports.publicUrl);
  });
  serve(app, participantConsole.listOwnKeys, ({ query, request }) => {
    const now = ports.clock.now();
    return listed(
      query,
      (page) => ports.stores.keys.list(personOf(request).within, page),
      (key) => keyToWire(key, now),
    );
  });
  serve(app, participantConsole.revokeOwnKey, async ({ params, query, request }) => {
    const revoked = await revokeKey(ports, personOf(request), params.id, query.confirm_running === "true");
    return isRefusal(revoked) ? revoked : undefined;
  });
};
