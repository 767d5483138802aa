import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type GaugeReaders, watchGauges } from "./gauges.js";

/** Metrics of the service in the Prometheus text format. */
export interface Metrics {
  readonly observeRequest: (route: string, method: string, status: number, seconds: number) => void;
  countReadings(count: number): void;
  /** Days of telemetry that were packed, and the bytes they take now. */
  readonly countPacked: (packed: { readonly days: number; readonly bytes: number }) => void;
  readonly countArchived: (archived: { readonly readings: number }) => void;
  /** A refused attempt on another account's object. */
  readonly countRefusedAttempt: (action: string) => void;
  /** An attempt to notify a webhook; the seconds count from the notice, for first attempts only. */
  observeAttempt(attempt: { readonly ok: boolean; readonly firstAfterSeconds: number | null }): void;
  /** A refused password, code, token or link, by its kind. */
  countRefused(kind: string): void;
  /** A VEN's request, by its result. */
  readonly observeVen: (result: string) => void;
  watchPool(pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number }): void;
  watchGauges(readers: GaugeReaders, onError: (error: unknown, gauge: string) => void): void;
  /** At most a second old. */
  readonly render: () => Promise<{ contentType: string; text: string }>;
}

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** @param monotonicMs clock for reusing the last scrape */
export const buildMetrics = (monotonicMs: () => number): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: "curtail_http_request_duration_seconds",
    help: "Time from the first byte of the request to the end of the response.",
    labelNames: ["route", "method", "status"],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const readings = new Counter({
    name: "curtail_telemetry_readings_total",
    help: "Telemetry readings answered with 200.",
    registers,
  });
  const packedDays = new Counter({
    name: "curtail_packed_days_total",
    help: "Days of meters whose readings were packed, counting those packed again after late readings.",
    registers,
  });
  const packedBytes = new Counter({
    name: "curtail_packed_bytes_total",
    help: "Bytes that these days took when they were packed.",
    registers,
  });
  const archived = new Counter({
    name: "curtail_archived_readings_total",
    help: "Readings that were written to the archive and deleted from the database.",
    registers,
  });
  const venRequests = new Counter({
    name: "curtail_openadr_requests_total",
    help: "Requests of VENs, by outcome.",
    labelNames: ["result"],
    registers,
  });
  const refused = new Counter({
    name: "curtail_refused_credentials_total",
    help: "Refused passwords, codes, operator tokens and invitation links, by kind; barred attempts were not checked.",
    labelNames: ["kind"],
    registers,
  });
  const refusedAttempts = new Counter({
    name: "curtail_refused_attempts_total",
    help: "Attempts to change resources that do not exist for the caller, by action; the log names the caller.",
    labelNames: ["action"],
    registers,
  });
  const observeAttempt = attemptMetrics(registers);
  return {
    observeAttempt,
    observeRequest: (route, method, status, seconds) => requests.observe({ route, method, status }, seconds),
    observeVen: (result) => venRequests.inc({ result }),
    countRefusedAttempt: (action) => refusedAttempts.inc({ action }),
    countReadings: (count) => readings.inc(count),
    countPacked({ days, bytes }) {
      packedDays.inc(days);
      packedBytes.inc(bytes);
    },
    countArchived: ({ readings }) => archived.inc(readings),
    countRefused: (kind) => refused.inc({ kind }),
    watchPool: (pool) => watchPool(pool, registers),
    watchGauges: (readers, onError) => watchGauges(readers, onError, registers),
    render: kept(async () => ({ contentType: registry.contentType, text: await registry.metrics() }), monotonicMs),
  };
};

const attemptMetrics = (registers: Registry[]): Metrics["observeAttempt"] => {
  const attempts = new Counter({
    name: "curtail_webhook_attempts_total",
    help: "Requests to webhooks, by result.",
    labelNames: ["result"],
    registers,
  });
  const latency = new Histogram({
    name: "curtail_webhook_first_attempt_seconds",
    help: "Time from the commit of a dispatch or its change to the first attempt of each webhook.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60],
    registers,
  });
  return ({ ok, firstAfterSeconds }) => {
    attempts.inc({ result: ok ? "success" : "failure" });
    if (firstAfterSeconds !== null) latency.observe(firstAfterSeconds);
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

/** Results are reused for this long, so that scraping cannot load the service or the database. */
const KEPT_MS = 1000;

/** Calls `make` at most once a second, and once at a time. */
const kept = <T>(make: () => Promise<T>, monotonicMs: () => number): (() => Promise<T>) => {
  let last: Promise<T> | undefined;
  let untilMs = 0;
  return () => {
    if (last !== undefined && monotonicMs() < untilMs) return last;
    untilMs = Number.POSITIVE_INFINITY;
    last = make().finally(() => {
      untilMs = monotonicMs() + KEPT_MS;
    });
    return last;
  };
};
