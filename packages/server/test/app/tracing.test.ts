import { createWebhook, listDispatches, operator } from "@curtail/contract";
import { type OtlpReceiver, otlpReceiver } from "@curtail/testing/otlp-receiver";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { SPAN_ATTRIBUTES, SPANS } from "../../src/platform/tracing.js";
import { ahead, newDispatch } from "../support/dispatching.js";
import { intervalsBetween, measuredProgram, untilLooked, uploadIntervals } from "../support/measuring.js";
import { type Client31, runningVtn, type Vtn } from "../support/openadr-3.js";
import { OPERATOR_TOKEN, type Participant } from "../support/running.js";
import { listeningToVens, type TestVen } from "../support/vens.js";

// Across processes: e2e/test/tracing.test.ts. Receivers that hang: tracing-limits.test.ts.
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const CLICK = "b7ad6b7169203331";
const ROUTE = "POST /operator/v1/dispatches";

let spans: OtlpReceiver;
let vtn: Vtn;
let anna: Participant;
let hook: Receiver;
let ven: TestVen;
let client: Client31;
let programId: string;

const at = (minutes: number): string => ahead(vtn, { minutes });

beforeAll(async () => {
  spans = await otlpReceiver();
  vtn = await runningVtn({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${spans.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=north%20east",
    OTEL_METRIC_EXPORT_INTERVAL: "1000",
  });
  anna = await vtn.newParticipant();
  ven = await (await listeningToVens(vtn)).newVen(anna);
  client = await vtn.ven({ participant: anna });
  hook = await receiver();
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  await anna.call(createWebhook, { body: { url: hook.url, events } });
  const method = { kind: "meter_before", seconds: 900, anchor: "start" } as const;
  programId = await measuredProgram(vtn, [anna], { baseline: { method }, commitment: 40 });
  const meterId = anna.sites[0]?.meters[0] ?? "";
  await uploadIntervals(
    anna,
    meterId,
    intervalsBetween([at(-60), at(0)], 60, () => 100),
  );
});

/** Issues a dispatch as a page would that continues a trace. */
const issued = async (start_time: string, traceparent?: string): Promise<string> => {
  const response = await fetch(`${vtn.operatorUrl}/operator/v1/dispatches`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      "content-type": "application/json",
      ...(traceparent === undefined ? {} : { traceparent }),
    },
    body: JSON.stringify({ program_id: programId, start_time, confirm_past: true }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { readonly id: string }).id;
};

const of = (id: string, name: string) =>
  spans.spans.filter((span) => span.name === name && span.attributes["curtail.dispatch.id"] === id);

describe("a dispatch that an operator issues", () => {
  let id: string;

  test("is one trace, from the click to the first reading below the target", async () => {
    id = await issued(at(0), `00-${TRACE_ID}-${CLICK}-01`);
    await hook.notices(1);
    await anna.call(listDispatches);
    await anna.call(listDispatches);
    await ven.poll();
    await ven.poll();
    const polled = async () => (await client.events.search(), of(id, "ven poll 3.1").length);
    await expect.poll(polled).toBe(1);
    const [start, until] = [vtn.clock.now().toISOString(), ahead(vtn, { minutes: 5 })];
    vtn.clock.advance({ minutes: 5 });
    await uploadIntervals(
      anna,
      anna.sites[0]?.meters[0] ?? "",
      intervalsBetween([start, until], 60, () => 30),
    );
    await untilLooked(vtn, async () => of(id, "first reading below target").length > 0);
    for (const name of Object.keys(SPANS)) await expect.poll(() => of(id, name), { message: name }).toHaveLength(1);
    const [request] = of(id, ROUTE);
    expect(request).toMatchObject({ traceId: TRACE_ID, parentSpanId: CLICK, kind: "server", isError: false });
    for (const [name, kind] of Object.entries(SPANS))
      expect(of(id, name), name).toMatchObject([{ traceId: TRACE_ID, parentSpanId: request?.spanId, kind }]);
  });

  test("names what each span is about", () => {
    const about = (name: string) => of(id, name)[0]?.attributes;
    const dispatch = { "curtail.dispatch.id": id };
    const account = { "curtail.account.id": anna.accountId };
    expect(about(ROUTE)).toEqual({
      ...dispatch,
      "http.request.method": "POST",
      "http.response.status_code": 201,
      "http.route": "/operator/v1/dispatches",
    });
    expect(about("webhook attempt")).toMatchObject({
      ...dispatch,
      "curtail.event": "dispatch.create",
      "curtail.resend": false,
      "http.request.resend_count": 0,
      "http.response.status_code": 200,
    });
    expect(about("participant poll")).toMatchObject({ ...dispatch, ...account, "curtail.read": "polled" });
    expect(about("ven poll 2.0a")).toMatchObject({ ...dispatch, ...account, "curtail.ven.id": ven.ven.id });
    expect(about("ven poll 3.1")).toMatchObject({ ...dispatch, "curtail.dispatch.modification": 0 });
    expect(about("first reading below target")).toEqual({
      ...dispatch,
      ...account,
      "curtail.site.id": anna.sites[0]?.id,
    });
  });

  test("has the reading's time as the start of the last span, and not its value", async () => {
    const [span] = of(id, "first reading below target");
    const { start_time } = (await vtn.made(operator.getAnyDispatch, { params: { id } })) as { start_time: string };
    expect(span?.startMs).toBeGreaterThan(Date.parse(start_time));
    expect(span?.startMs).toBeLessThanOrEqual(Date.parse(start_time) + 60_000);
    expect(span?.endMs).toBeGreaterThan(span?.startMs ?? 0);
  });

  test("is continued by the receiver of the webhook, whose request is signed as without", () => {
    const [attempt] = of(id, "webhook attempt");
    const [notice] = hook.received.filter(({ resource }) => resource.includes(id));
    expect(notice?.headers["traceparent"]).toBe(`00-${TRACE_ID}-${attempt?.spanId}-01`);
    expect(notice?.headers["webhook-signature"]).toMatch(/^v1,/);
  });

  test("says nothing of keys, addresses, loads or people", () => {
    const known = new Set<string>(SPAN_ATTRIBUTES);
    const attributes = spans.spans.flatMap((span) => Object.keys(span.attributes));
    expect(attributes.filter((name) => !known.has(name))).toEqual([]);
    for (const secret of [anna.key, OPERATOR_TOKEN, hook.url]) expect(spans.texts.join("\n")).not.toContain(secret);
  });

  test("comes with the name of the service, and with the headers of the settings", () => {
    expect(spans.spans[0]?.resource).toMatchObject({
      "service.name": "curtail",
      "service.version": expect.stringMatching(/^\d+\.\d+\.\d+$/),
      "service.instance.id": expect.stringContaining(`:${process.pid}`),
    });
    expect(spans.headers[0]?.["x-tenant"]).toBe("north east");
  });

  test("a change of it is a trace of its own, with what notifies of the change", async () => {
    const count = hook.received.length;
    await vtn.made(operator.changeDispatch, { params: { id }, body: { end_time: at(90) } });
    await hook.notices(count);
    await anna.call(listDispatches);
    await expect.poll(() => of(id, "participant poll")).toHaveLength(2);
    const change = (await spans.named("PATCH /operator/v1/dispatches/:id"))[0];
    expect(change).toMatchObject({ parentSpanId: null });
    expect(change?.traceId).not.toBe(TRACE_ID);
    const later = { traceId: change?.traceId, parentSpanId: change?.spanId };
    await expect.poll(() => of(id, "webhook attempt")).toMatchObject([{}, later]);
    expect(of(id, "participant poll")).toMatchObject([{ traceId: TRACE_ID }, later]);
  });
});

test("a dispatch without a trace context of its request begins a trace", async () => {
  const id = await issued(at(60));
  await expect.poll(() => of(id, ROUTE)).toMatchObject([{ parentSpanId: null }]);
  expect(of(id, ROUTE)[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
});

test("a trace that its first service does not record is not recorded here, and webhooks are sent without it", async () => {
  const id = await issued(at(120), "00-11111111111111111111111111111111-2222222222222222-00");
  // Another dispatch's may arrive first.
  const notice = await vi.waitUntil(() => hook.received.find(({ resource }) => resource.includes(id)), {
    timeout: 30_000,
  });
  expect(notice.headers["traceparent"]).toMatch(/^00-1{32}-[0-9a-f]{16}-00$/);
  await issued(at(180));
  await expect.poll(() => spans.spans.filter(({ name }) => name === ROUTE).length).toBeGreaterThanOrEqual(3);
  expect(of(id, ROUTE)).toEqual([]);
});

test("a participant's own test begins a trace, whatever context its request has", async () => {
  const bob = await vtn.newParticipant();
  const response = await fetch(`${vtn.url}/2022-04-15/dispatches`, {
    method: "POST",
    headers: {
      "X-Service-API-Key": bob.key,
      "content-type": "application/json",
      traceparent: `00-${"3".repeat(32)}-${"4".repeat(16)}-01`,
    },
    body: JSON.stringify({ start_time: at(60), end_time: at(90) }),
  });
  expect(response.status).toBe(200);
  const [span] = await spans.named("POST /2022-04-15/dispatches");
  expect(span).toMatchObject({ parentSpanId: null });
  expect(span?.traceId).not.toBe("3".repeat(32));
});

test("uploads, polls and other reads have no spans", () => {
  const names = new Set(spans.spans.map(({ name }) => name));
  expect([...names].filter((name) => name.startsWith("GET") || name.includes("telemetry"))).toEqual([]);
});

test("metrics are those of GET /metrics, with the same names, labels and numbers", async () => {
  const text = await (await fetch(`${vtn.url}/metrics`)).text();
  const names = [...text.matchAll(/^# TYPE (curtail_\S+) (?:counter|gauge|histogram)$/gm)].map(
    ([, name]) => name ?? "",
  );
  const withNumbers = names.filter((name) => new RegExp(`^${name}(?:_bucket|_total)?[ {]`, "m").test(text));
  await expect.poll(() => withNumbers.filter((name) => !spans.metrics.has(name))).toEqual([]);
  expect(spans.metrics.get("curtail_telemetry_readings_total")?.sum).toMatchObject({
    isMonotonic: true,
    dataPoints: [{ asDouble: Number(/^curtail_telemetry_readings_total (\d+)$/m.exec(text)?.[1]) }],
  });
  const first = spans.metrics.get("curtail_webhook_first_attempt_seconds")?.histogram?.dataPoints[0];
  const counts = first?.bucketCounts?.map(Number) ?? [];
  expect(counts).toHaveLength((first?.explicitBounds?.length ?? 0) + 1);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(first?.count));
});

test("what fails is marked, with its code", async () => {
  const dead = await vtn.newParticipant();
  const dying = await receiver();
  await dead.call(createWebhook, { body: { url: dying.url, events: [{ name: "dispatch.create" }] } });
  dying.answer = 503;
  const program = await measuredProgram(vtn, [dead], {});
  const { id } = await newDispatch(vtn, program);
  await expect.poll(() => of(id, "webhook attempt")).not.toEqual([]);
  expect(of(id, "webhook attempt")[0]).toMatchObject({
    isError: true,
    attributes: { "error.type": "status_503", "http.response.status_code": 503 },
  });
});
