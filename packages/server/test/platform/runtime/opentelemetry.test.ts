import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import { otlpReceiver } from "@curtail/testing/otlp-receiver";
import { describe, expect, test } from "vitest";
import { CausesOfChanges } from "../../../src/platform/causes-of-changes.js";
import { type OtlpSettings, openTelemetry } from "../../../src/platform/runtime/opentelemetry.js";
import { modifiedBy, type Tracing } from "../../../src/platform/tracing.js";

const TRACEPARENT = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
const SPANS = 30_000;
/** What waits to be sent, and the batch that is being sent. */
const MOST_HELD = 4096 + 512;

type Given = Partial<Pick<OtlpSettings, "metricsEveryMs" | "exportMs">>;

const telemetryTo = (endpoint: string, { metricsEveryMs = null, exportMs }: Given = {}) => {
  const warnings: string[] = [];
  const causes = new CausesOfChanges(
    { causeOf: async () => TRACEPARENT },
    { mostSpans: SPANS, onError: (error) => warnings.push(String(error)) },
  );
  const telemetry = openTelemetry(
    {
      endpoint,
      headers: {},
      serviceName: "curtail",
      traceShare: 1,
      metricsEveryMs,
      ...(exportMs === undefined ? {} : { exportMs }),
    },
    { causes, metrics: async () => [], log: { warn: (_, message) => void warnings.push(message) } },
  );
  if (telemetry.tracing === null) throw new Error("nothing is traced");
  return { tracing: telemetry.tracing, warnings, stop: () => telemetry.stop() };
};

const noteMany = async (tracing: Tracing, count: number): Promise<void> => {
  const at = new Date();
  const attributes = { "curtail.dispatch.id": "dis_1" };
  const end = { startsAt: at, endsAt: at, attributes, error: null };
  for (let index = 0; index < count; index++) {
    tracing.note(modifiedBy("dis_1", 0), "webhook attempt", end);
    if (index % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
};

describe("a receiver that never answers", () => {
  test("holds up nobody, and no more spans wait for it than the queue holds", async () => {
    const receiver = await otlpReceiver();
    const hanging: ServerResponse[] = [];
    const answer = receiver.answer;
    receiver.answer = (response) => void hanging.push(response);
    const { tracing, stop } = telemetryTo(receiver.url);
    await noteMany(tracing, SPANS);
    // Without an end, if it waited.
    const span = await tracing.begin(modifiedBy("dis_1", 1), "webhook attempt", new Date());
    expect(span?.traceparent).toMatch(new RegExp(`^00-${"a".repeat(32)}-`));
    receiver.answer = answer;
    for (const response of hanging) answer(response);
    await expect.poll(() => receiver.spans.length).toBeGreaterThanOrEqual(4096);
    await stop();
    expect(receiver.spans.length).toBeLessThanOrEqual(MOST_HELD);
  });

  test("does not hold up the end", async () => {
    const server = createServer(() => {}).listen(0, "127.0.0.1");
    await once(server, "listening");
    atEnd(async () => {
      server.closeAllConnections();
      server.close();
    });
    const { tracing, stop } = telemetryTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      metricsEveryMs: 1000,
    });
    await noteMany(tracing, 5000);
    const startedMs = performance.now();
    await stop();
    expect(performance.now() - startedMs).toBeLessThan(4000);
  });
});

test("a receiver that refuses connections is named in the log, once a minute", async () => {
  const { tracing, warnings, stop } = telemetryTo(`http://127.0.0.1:${await freePort()}`, { exportMs: 300 });
  await noteMany(tracing, 2000);
  await expect.poll(() => warnings, { timeout: 15_000 }).toHaveLength(1);
  await noteMany(tracing, 2000);
  await stop();
  expect(warnings).toEqual(["spans could not be exported and are dropped; nothing else is affected"]);
});

test("without a share of traces there are no spans, and metrics are sent", async () => {
  const receiver = await otlpReceiver();
  const values = [{ labels: { state: "idle" }, value: 3 }];
  const telemetry = openTelemetry(
    { endpoint: receiver.url, headers: {}, serviceName: "east", traceShare: null, metricsEveryMs: 60_000 },
    {
      causes: new CausesOfChanges({ causeOf: async () => null }, { mostSpans: 1, onError: () => {} }),
      metrics: async () => [{ name: "curtail_connections", help: "Connections.", type: "gauge", values }],
      log: { warn: () => {} },
    },
  );
  expect(telemetry.tracing).toBeNull();
  // What there is at the end is sent.
  await telemetry.stop();
  expect(receiver.metrics.get("curtail_connections")?.gauge?.dataPoints).toMatchObject([
    { asDouble: 3, attributes: [{ key: "state", value: { stringValue: "idle" } }] },
  ]);
});
