import type pg from "pg";
import { CausesOfChanges } from "../../platform/causes-of-changes.js";
import { traceStore } from "../../platform/database/trace-store.js";
import type { Config } from "../../platform/runtime/config.js";
import type { Logger } from "../../platform/runtime/logger.js";
import type { Metrics } from "../../platform/runtime/metrics.js";
import { type OtlpExport, openTelemetry } from "../../platform/runtime/opentelemetry.js";
import { NOTHING } from "../basis.js";

interface TracingWiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Sends traces and metrics if the settings say where to. */
export const wireTracing = ({ config, pool, logger, metrics }: TracingWiring): OtlpExport => {
  const { otlpEndpoint: endpoint, traceSpans: mostSpans } = config;
  if (endpoint === null) return { tracing: null, ...NOTHING };
  const onError = (error: unknown): void =>
    logger.warn({ err: error }, "what caused a change could not be read; its spans are left out");
  return openTelemetry(
    {
      endpoint,
      headers: config.otlpHeaders ?? {},
      serviceName: config.otelServiceName,
      traceShare: config.otelTraces === "none" ? null : config.otelTraceShare,
      metricsEveryMs: config.otelMetrics === "none" ? null : config.otelMetricsEveryMs,
    },
    {
      causes: new CausesOfChanges(traceStore(pool), { mostSpans, onError }),
      metrics: () => metrics.collect(),
      log: logger,
    },
  );
};
