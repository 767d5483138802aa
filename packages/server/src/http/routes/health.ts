import type { FastifyInstance } from "fastify";

export interface HealthPorts {
  /** null when the service can serve, else why not. */
  whyNotReady(): Promise<string | null>;
  /** Metrics in the Prometheus text format. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export const healthRoutes = (app: FastifyInstance, ports: HealthPorts): void => {
  app.get("/healthz", async () => ({ status: "alive" }));
  app.get("/readyz", async (_request, reply) => {
    const why = await ports.whyNotReady();
    // 503 is what load balancers understand; this is no part of the REST interface.
    return why === null ? { status: "ready" } : reply.status(503).send({ status: "not ready", why });
  });
  app.get("/metrics", async (_request, reply) => {
    const { contentType, text } = await ports.metrics();
    return reply.type(contentType).send(text);
  });
};
