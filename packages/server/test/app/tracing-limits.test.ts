import { createWebhook } from "@curtail/contract";
import { freePort } from "@curtail/testing/free-port";
import { otlpReceiver } from "@curtail/testing/otlp-receiver";
import { receiver } from "@curtail/testing/receiver";
import { describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { type Running, running } from "../support/running.js";

const WEBHOOKS = 12;

/** A service with a participant whose webhooks all lead to one receiver, once all of them are notified. */
const notifying = async (settings: Readonly<Record<string, string>>, status = 200) => {
  const service = await running(settings);
  const anna = await service.newParticipant();
  const hook = await receiver();
  for (let index = 0; index < WEBHOOKS; index++)
    await anna.call(createWebhook, { body: { url: `${hook.url}/${index}`, events: [{ name: "dispatch.create" }] } });
  hook.answer = status;
  await newDispatch(service, await newProgram(service, [anna]));
  const notices = await hook.notices(WEBHOOKS);
  return { service, notices };
};

const notified = async (settings: Readonly<Record<string, string>>, status = 200): Promise<Running> =>
  (await notifying(settings, status)).service;

test("without a receiver of spans, entries of the journal have no trace, and notices no context", async () => {
  const { service, notices } = await notifying({});
  const { rows } = await service.database.pool.query("select kind from journal where trace is not null");
  expect(rows).toEqual([]);
  expect(notices.filter(({ headers }) => headers["traceparent"] !== undefined)).toEqual([]);
});

describe("a fan-out larger than the limit", () => {
  test("has so many spans, and the others are notified without", async () => {
    const spans = await otlpReceiver();
    await notified({ OTEL_EXPORTER_OTLP_ENDPOINT: spans.url, CURTAIL_TRACE_SPANS: "3" });
    await expect.poll(() => spans.spans.some(({ name }) => name === "POST /operator/v1/dispatches")).toBe(true);
    expect(await spans.named("webhook attempt", 3)).toHaveLength(3);
  });

  test("has as many failures again", async () => {
    const spans = await otlpReceiver();
    await notified({ OTEL_EXPORTER_OTLP_ENDPOINT: spans.url, CURTAIL_TRACE_SPANS: "3" }, 500);
    const attempts = await spans.named("webhook attempt", 6);
    expect(attempts).toHaveLength(6);
    expect(attempts.every(({ isError }) => isError)).toBe(true);
  });
});

const closed = async (service: Running): Promise<number> => {
  const startedMs = performance.now();
  await service.stop();
  return performance.now() - startedMs;
};

test("a receiver of spans that never answers delays neither notices nor the end of the service", async () => {
  const spans = await otlpReceiver();
  spans.answer = () => {};
  const service = await notified({ OTEL_EXPORTER_OTLP_ENDPOINT: spans.url });
  await expect.poll(() => spans.spans.length).toBeGreaterThan(0);
  const more = await service.newParticipant();
  const hook = await receiver();
  await more.call(createWebhook, { body: { url: hook.url, events: [{ name: "dispatch.create" }] } });
  const startedMs = performance.now();
  await newDispatch(service, await newProgram(service, [more]));
  await hook.notices(1);
  expect(performance.now() - startedMs).toBeLessThan(4000);
  expect(await closed(service)).toBeLessThan(8000);
});

test("where nobody listens, all are notified", async () => {
  const service = await notified({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
  expect(await closed(service)).toBeLessThan(8000);
});

test("with a share of 0 no trace is recorded", async () => {
  const spans = await otlpReceiver();
  await notified({
    OTEL_EXPORTER_OTLP_ENDPOINT: spans.url,
    OTEL_TRACES_SAMPLER_ARG: "0",
    OTEL_METRIC_EXPORT_INTERVAL: "1000",
  });
  await expect.poll(() => spans.metrics.size).toBeGreaterThan(0);
  expect(spans.spans).toEqual([]);
});
