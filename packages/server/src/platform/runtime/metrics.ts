import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type ReadGauge, showWhileReadable } from "./gauges.js";

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Metrics of the service in the Prometheus text format.
 *
 * @param monotonicMs clock for reusing the last scrape
 */
export const buildMetrics = (monotonicMs: () => number) => {
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
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const readings = counter("curtail_telemetry_readings_total", "Telemetry readings answered with 200.");
  const folded = counter(
    "curtail_folded_readings_total",
    "Readings of the log that were written into hour rows, see CURTAIL_LIVE_LOG.",
  );
  const packedDays = counter(
    "curtail_packed_days_total",
    "Days of meters whose readings were packed, counting those packed again after late readings.",
  );
  const packedBytes = counter("curtail_packed_bytes_total", "Bytes that these days took when they were packed.");
  const archived = counter(
    "curtail_archived_readings_total",
    "Readings that were written to the archive and deleted from the database.",
  );
  const venRequests = counter("curtail_openadr_requests_total", "Requests of VENs, by outcome.", "result");
  const refused = counter(
    "curtail_refused_credentials_total",
    "Refused passwords, codes, operator tokens and invitation links, by kind; barred attempts were not checked.",
    "kind",
  );
  const refusedAttempts = counter(
    "curtail_refused_attempts_total",
    "Attempts to change resources that do not exist for the caller, by action; the log names the caller.",
    "action",
  );
  const attempts = counter("curtail_webhook_attempts_total", "Requests to webhooks, by result.", "result");
  const mails = counter(
    "curtail_mail_attempts_total",
    "Emails handed to the mail server, by result; refused: it took the email for some or none of its recipients.",
    "result",
  );
  const latency = new Histogram({
    name: "curtail_webhook_first_attempt_seconds",
    help: "Time from the commit of a dispatch or its change to the first attempt of each webhook.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60],
    registers,
  });
  return {
    observeRequest: (route: string, method: string, status: number, seconds: number): void =>
      requests.observe({ route, method, status }, seconds),
    countReadings: (count: number): void => readings.inc(count),
    countFolded: ({ readings: count }: { readonly readings: number }): void => folded.inc(count),
    /** Days of telemetry that were packed, and the bytes they take now. */
    countPacked: ({ days, bytes }: { readonly days: number; readonly bytes: number }): void => {
      packedDays.inc(days);
      packedBytes.inc(bytes);
    },
    countArchived: ({ readings: count }: { readonly readings: number }): void => archived.inc(count),
    /** A refused attempt on another account's object. */
    countRefusedAttempt: (action: string): void => refusedAttempts.inc({ action }),
    /** An attempt to notify a webhook; the seconds count from the notice, for first attempts only. */
    observeAttempt({
      ok,
      firstAfterSeconds,
    }: {
      readonly ok: boolean;
      readonly firstAfterSeconds: number | null;
    }): void {
      attempts.inc({ result: ok ? "success" : "failure" });
      if (firstAfterSeconds !== null) latency.observe(firstAfterSeconds);
    },
    /** An email that was handed to the mail server. */
    countMail: (result: "success" | "refused" | "failure"): void => mails.inc({ result }),
    /** A refused password, code, token or link, by its kind. */
    countRefused: (kind: string): void => refused.inc({ kind }),
    /** A VEN's request, by its result. */
    observeVen: (result: string): void => venRequests.inc({ result }),
    watchPool: (pool: WatchedPool): void => watchPool(pool, registers),
    watchGauges(gauges: readonly ReadGauge[], onError: (error: unknown, gauge: string) => void): void {
      for (const gauge of gauges) showWhileReadable(gauge, onError, registers);
    },
    /** The same numbers, for OTLP. */
    collect: () => registry.getMetricsAsJSON(),
    /** At most a second old. */
    render: kept(async () => ({ contentType: registry.contentType, text: await registry.metrics() }), monotonicMs),
  };
};

export type Metrics = ReturnType<typeof buildMetrics>;

interface WatchedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

const watchPool = (pool: WatchedPool, registers: Registry[]): void => {
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

/** Calls `make` at most once in this time, and once at a time. */
export const kept = <T>(make: () => Promise<T>, monotonicMs: () => number, keptMs = KEPT_MS): (() => Promise<T>) => {
  let last: Promise<T> | undefined;
  let untilMs = 0;
  return () => {
    if (last !== undefined && monotonicMs() < untilMs) return last;
    untilMs = Number.POSITIVE_INFINITY;
    last = make().finally(() => {
      untilMs = monotonicMs() + keptMs;
    });
    return last;
  };
};
