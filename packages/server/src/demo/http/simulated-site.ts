import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { serve } from "../../platform/http/endpoint.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { mapResult } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { canonicalTimezone } from "../../portfolio/domain/timezone.js";
import {
  addSimulatedSite,
  findSimulatedSite,
  removeSimulatedSite,
  type SeenSimulatedSite,
  SIMULATED_COMMITMENT_KW,
  type SimulatedSiteStores,
} from "../operations/simulated-site.js";

export const simulatedSiteRoutes = (app: FastifyInstance, ports: RepeatablePorts<SimulatedSiteStores>): void => {
  serve(app, operator.getSimulatedSite, async () => toWire(await findSimulatedSite(ports)));
  serveOnce(app, operator.addSimulatedSite, ports, ({ body, request }, ports) =>
    mapResult(addSimulatedSite(ports, actorOf(request), canonicalTimezone(body.timezone)), toWire),
  );
  serve(app, operator.removeSimulatedSite, ({ request }) =>
    mapResult(removeSimulatedSite(ports, actorOf(request)), toWire),
  );
};

const toWire = ({ site, refusal }: SeenSimulatedSite): operator.SimulatedSite => ({
  state: site?.state ?? "off",
  reason: refusal?.message ?? null,
  account_id: site?.accountId ?? null,
  program_id: site?.programId ?? null,
  site_id: site?.siteId ?? null,
  commitment: SIMULATED_COMMITMENT_KW,
  started_at: site === null ? null : formatTimestamp(site.startedAt),
});
