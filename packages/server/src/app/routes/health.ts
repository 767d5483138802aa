import type { FastifyInstance, FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { bearerOf } from "../../platform/http/bearer.js";
import { BEARER, HttpError, Unproven } from "../../platform/http/error-replies.js";

export interface HealthPorts {
  /** null if the service is ready, else the reason. */
  whyNotReady(): Promise<string | null>;
  /** The same for all processes of a service, and of no other one. */
  readonly identity: string;
  /** Metrics in the Prometheus text format. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** null: no token is configured, and metrics are available only from this machine. */
  readonly isMetricsToken: ((token: string) => boolean) | null;
}

export const healthRoutes = (app: FastifyInstance, ports: HealthPorts): void => {
  app.get("/healthz", async () => ({ status: "alive" }));
  app.get("/readyz", async (_request, reply) => {
    const why = await ports.whyNotReady();
    // Load balancers understand 503; this is not part of the REST interface.
    return why === null ? { status: "ready" } : reply.status(503).send({ status: "not ready", why });
  });
  app.get("/metrics", { onRequest: async (request) => refuseStrangers(request, ports) }, async (_request, reply) => {
    const { contentType, text } = await ports.metrics();
    return reply.type(contentType).send(text);
  });
};

const refuseStrangers = (request: FastifyRequest, { isMetricsToken }: HealthPorts): void => {
  if (isMetricsToken === null) {
    if (isOfThisMachine(request)) return;
    throw new HttpError(
      401,
      "Permission denied: metrics are for this machine only, unless CURTAIL_METRICS_TOKEN is set.",
    );
  }
  const token = bearerOf(request);
  if (token === null || !isMetricsToken(token)) {
    throw new Unproven(BEARER, "Permission denied: send Authorization: Bearer with the metrics token.");
  }
};

const forwarding = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/**
 * Judged by the peer, not by forwarded addresses. With a proxy on this machine all requests come from loopback, so
 * forwarded ones are refused.
 */
const isOfThisMachine = ({ headers, raw }: FastifyRequest): boolean => {
  const peer = raw.socket.remoteAddress ?? "";
  const isLoopback = ipaddr.isValid(peer) && ipaddr.process(peer).range() === "loopback";
  return isLoopback && forwarding.every((name) => headers[name] === undefined);
};
