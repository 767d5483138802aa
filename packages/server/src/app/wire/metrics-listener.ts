import type { FastifyInstance } from "fastify";
import { bareServer } from "../../platform/http/bare-server.js";
import { errorReply } from "../../platform/http/error-replies.js";
import { OpenBodies } from "../../platform/http/open-bodies.js";
import type { Basis } from "../basis.js";
import { type HealthPorts, healthRoutes } from "../routes/health.js";
import { answerUnknownAddresses } from "../routes/redirects.js";

const NOTHING_HERE = "There is nothing at this address: this port has /healthz, /readyz and /metrics only.";

/** A listener with nothing but health and metrics, if it has a port; a worker has no other. */
export const wireMetricsListener = (
  { config, logger, metrics }: Pick<Basis, "config" | "logger" | "metrics">,
  health: HealthPorts,
): FastifyInstance | null => {
  if (config.metricsPort === null) return null;
  const settings = { publicUrl: null, trustedProxies: [] };
  const app = bareServer(settings, { logger, observe: metrics.observeRequest }, new OpenBodies());
  healthRoutes(app, health);
  answerUnknownAddresses(app, async (_request, reply) => reply.status(404).send(errorReply(404, NOTHING_HERE)));
  return app;
};
