import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What the service tells about itself, in the Prometheus text format. */
export interface Metrics {
  readonly observeRequest: (route: string, method: string, status: number, seconds: number) => void;
  countReadings(count: number): void;
  watchPool(pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number }): void;
  render(): Promise<{ contentType: string; text: string }>;
}

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export const buildMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: "curtail_http_request_duration_seconds",
    help: "Time from the request's first byte to the end of the answer.",
    labelNames: ["route", "method", "status"],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const readings = new Counter({
    name: "curtail_telemetry_readings_total",
    help: "Telemetry readings answered with 200.",
    registers,
  });
  return {
    observeRequest: (route, method, status, seconds) => requests.observe({ route, method, status }, seconds),
    countReadings: (count) => readings.inc(count),
    watchPool: (pool) => watchPool(pool, registers),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
};

const watchPool = (pool: Parameters<Metrics["watchPool"]>[0], registers: Registry[]): void => {
  const connections = new Gauge({
    name: "curtail_database_connections",
    help: "Connections to the database, by state; waiting counts requests without one.",
    labelNames: ["state"],
    registers,
    collect() {
      connections.set({ state: "busy" }, pool.totalCount - pool.idleCount);
      connections.set({ state: "idle" }, pool.idleCount);
      connections.set({ state: "waiting" }, pool.waitingCount);
    },
  });
};
