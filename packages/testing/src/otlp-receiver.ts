import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { atEnd } from "./at-end.js";

/** A value as OTLP/JSON writes it. */
interface AnyValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly status: { readonly code?: number };
}

/** A span as it was received. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** null: it is the first of its trace. */
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: "internal" | "server" | "client";
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
}

interface WireMetric {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly WirePoint[]; readonly isMonotonic: boolean };
  readonly gauge?: { readonly dataPoints: readonly WirePoint[] };
  readonly histogram?: { readonly dataPoints: readonly WirePoint[] };
}

interface WirePoint {
  readonly attributes: readonly KeyValue[];
  readonly asDouble?: number;
  readonly asInt?: number;
  readonly count?: number | string;
  readonly sum?: number;
  readonly bucketCounts?: ReadonlyArray<number | string>;
  readonly explicitBounds?: readonly number[];
}

/** Receives OTLP over HTTP as JSON, and decodes it. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Of the newest export. */
  readonly metrics: Map<string, WireMetric>;
  readonly headers: Array<IncomingMessage["headers"]>;
  /** Bodies as they came. */
  readonly texts: string[];
  /** How requests are answered from now on; by default with 200. */
  answer: (response: ServerResponse) => void;
  /** Waits until spans of the name have arrived. */
  named(name: string, count?: number): Promise<ReceivedSpan[]>;
}

const KINDS = ["unspecified", "internal", "server", "client"];
const ERROR = 2;

const valueOf = ({ stringValue, intValue, doubleValue, boolValue }: AnyValue): unknown =>
  stringValue ?? boolValue ?? doubleValue ?? (intValue === undefined ? undefined : Number(intValue));

export const attributesOf = (attributes: readonly KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

const msOf = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1000n) / 1000;

const spanOf = (span: WireSpan, resource: Record<string, unknown>): ReceivedSpan => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId ?? null,
  name: span.name,
  kind: KINDS[span.kind] as ReceivedSpan["kind"],
  startMs: msOf(span.startTimeUnixNano),
  endMs: msOf(span.endTimeUnixNano),
  attributes: attributesOf(span.attributes),
  isError: span.status.code === ERROR,
  resource,
});

/** Closed after the test file. */
export const otlpReceiver = async (): Promise<OtlpReceiver> => {
  const self: OtlpReceiver = {
    url: "",
    spans: [],
    metrics: new Map(),
    headers: [],
    texts: [],
    answer: (response) => void response.writeHead(200, { "content-type": "application/json" }).end("{}"),
    async named(name, count = 1) {
      const found = () => self.spans.filter((span) => span.name === name);
      await expect.poll(() => found().length, { timeout: 15_000 }).toBeGreaterThanOrEqual(count);
      return found();
    },
  };
  const server = createServer((request, response) => void take(self, request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  Object.assign(self, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return self;
};

const take = async (self: OtlpReceiver, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  self.headers.push(request.headers);
  self.texts.push(text);
  const body = JSON.parse(text);
  if (request.url === "/v1/traces") takeSpans(self, body);
  else if (request.url === "/v1/metrics") takeMetrics(self, body);
  self.answer(response);
};

interface Traces {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: ReadonlyArray<{ readonly spans: readonly WireSpan[] }>;
  }>;
}

const takeSpans = ({ spans }: OtlpReceiver, { resourceSpans }: Traces): void => {
  for (const { resource, scopeSpans } of resourceSpans)
    for (const scope of scopeSpans)
      spans.push(...scope.spans.map((span) => spanOf(span, attributesOf(resource.attributes))));
};

interface Metrics {
  readonly resourceMetrics: ReadonlyArray<{
    readonly scopeMetrics: ReadonlyArray<{ readonly metrics: readonly WireMetric[] }>;
  }>;
}

const takeMetrics = ({ metrics }: OtlpReceiver, { resourceMetrics }: Metrics): void => {
  for (const { scopeMetrics } of resourceMetrics)
    for (const scope of scopeMetrics) for (const metric of scope.metrics) metrics.set(metric.name, metric);
};
