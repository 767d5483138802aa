import { createRequire } from "node:module";
import { hostname } from "node:os";
import type * as MetricExporter from "@opentelemetry/exporter-metrics-otlp-http";
import type * as TraceExporter from "@opentelemetry/exporter-trace-otlp-http";
import type * as Resources from "@opentelemetry/resources";
import type * as SdkMetrics from "@opentelemetry/sdk-metrics";
import type * as SdkTrace from "@opentelemetry/sdk-trace";
import type { CausesOfChanges } from "../causes-of-changes.js";
import type { Log } from "../log.js";
import type { Tracing } from "../tracing.js";
import { within } from "../within.js";
import { type CollectedMetric, metricProducer } from "./otlp-metrics.js";
import { OtlpTracing } from "./otlp-tracing.js";
import { version } from "./version.js";

/** Where spans and metrics go, and how many. */
export interface OtlpSettings {
  /** Base address of a receiver of OTLP over HTTP. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Share of traces that are recorded, 0 to 1; null: none. */
  readonly traceShare: number | null;
  /** null: no metrics. */
  readonly metricsEveryMs: number | null;
  /** Of one request with spans or metrics. Set by tests. */
  readonly exportMs?: number;
}

export interface OtlpPorts {
  readonly causes: CausesOfChanges;
  /** What `GET /metrics` shows. */
  readonly metrics: () => Promise<readonly CollectedMetric[]>;
  readonly log: Pick<Log, "warn">;
}

/** OpenTelemetry while it is on. */
export interface OtlpExport {
  /** null: no spans. */
  readonly tracing: Tracing | null;
  /** Sends what is left, unless the receiver takes long. */
  stop(): Promise<void>;
}

/** Spans and metrics that wait for a receiver that hangs wait for as long. */
const EXPORT_MS = 5000;
/** Spans of some kilobyte; beyond this they are dropped. */
const QUEUE = {
  maxQueueSize: 4096,
  maxExportBatchSize: 512,
  scheduledDelayMillis: 1000,
  exportTimeoutMillis: EXPORT_MS,
};
const STOP_MS = 2000;

// Required when it is on, so that nothing of it is loaded while it is off; and not bundled. Only the API is there anyway: counting
// metrics needs it. A script with kept code cannot import.
const require = createRequire(import.meta.url);

const load = () => ({
  ...(require("@opentelemetry/resources") as typeof Resources),
  ...(require("@opentelemetry/sdk-trace") as typeof SdkTrace),
  ...(require("@opentelemetry/exporter-trace-otlp-http") as typeof TraceExporter),
  ...(require("@opentelemetry/sdk-metrics") as typeof SdkMetrics),
  ...(require("@opentelemetry/exporter-metrics-otlp-http") as typeof MetricExporter),
});

type Packages = ReturnType<typeof load>;

/** Starts to send spans and metrics. */
export const openTelemetry = (settings: OtlpSettings, ports: OtlpPorts): OtlpExport => {
  const packages = load();
  const traces = settings.traceShare === null ? null : tracesOf(packages, settings, settings.traceShare, ports);
  const metrics =
    settings.metricsEveryMs === null ? null : metricsOf(packages, settings, settings.metricsEveryMs, ports);
  return {
    tracing: traces?.tracing ?? null,
    async stop() {
      const stopped = Promise.allSettled([traces?.shutdown(), metrics?.shutdown()]);
      await within(stopped, STOP_MS, () => []);
    },
  };
};

const target = ({ endpoint, headers, exportMs = EXPORT_MS }: OtlpSettings, path: string) => ({
  url: `${endpoint}/v1/${path}`,
  headers: { ...headers },
  timeoutMillis: exportMs,
});

/** `OTEL_RESOURCE_ATTRIBUTES` adds to it. */
const resourceOf = (
  { resourceFromAttributes, detectResources, envDetector }: Packages,
  { serviceName }: OtlpSettings,
) =>
  detectResources({ detectors: [envDetector] }).merge(
    resourceFromAttributes({
      "service.name": serviceName,
      "service.version": version,
      "service.instance.id": `${hostname()}:${process.pid}`,
    }),
  );

const tracesOf = (packages: Packages, settings: OtlpSettings, share: number, ports: OtlpPorts) => {
  const { TracerProvider, BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, OTLPTraceExporter } =
    packages;
  const exporter: SdkTrace.SpanExporter = new OTLPTraceExporter(target(settings, "traces"));
  const queue = { ...QUEUE, exportTimeoutMillis: settings.exportMs ?? EXPORT_MS };
  const provider = new TracerProvider({
    resource: resourceOf(packages, settings),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ ...queue, exporter: reported(exporter, "spans", ports.log) })],
  });
  const tracing = new OtlpTracing(provider.getTracer("curtail", version), ports.causes);
  return { tracing, shutdown: () => provider.shutdown() };
};

const metricsOf = (packages: Packages, settings: OtlpSettings, everyMs: number, { metrics, log }: OtlpPorts) => {
  const { MeterProvider, PeriodicExportingMetricReader, OTLPMetricExporter } = packages;
  const exporter: SdkMetrics.PushMetricExporter = new OTLPMetricExporter(target(settings, "metrics"));
  const resource = resourceOf(packages, settings);
  const reader = new PeriodicExportingMetricReader({
    exporter: reported(exporter, "metrics", log),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(settings.exportMs ?? EXPORT_MS, everyMs),
    metricProducers: [metricProducer(metrics, resource, packages)],
  });
  return new MeterProvider({ resource, readers: [reader] });
};

interface Exporter<T> {
  export(items: T, done: (result: { readonly code: number; readonly error?: Error }) => void): void;
}

const WARN_EVERY_MS = 60_000;
const SUCCESS = 0;

/** Says in the log that exports fail, at most once a minute. The packages say nothing. */
const reported = <T, E extends Exporter<T>>(exporter: E & Exporter<T>, what: string, log: Pick<Log, "warn">): E => {
  let quietUntilMs = 0;
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code !== SUCCESS && performance.now() >= quietUntilMs) {
        quietUntilMs = performance.now() + WARN_EVERY_MS;
        log.warn({ err: result.error }, `${what} could not be exported and are dropped; nothing else is affected`);
      }
      done(result);
    });
  return exporter;
};
