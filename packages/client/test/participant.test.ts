import { expect, test } from "vitest";
import { systemClock } from "../src/clock.js";
import { ErrorResponse, NoResponse } from "../src/failure.js";
import { createParticipant, type ParticipantSettings } from "../src/participant.js";
import { FakeClock } from "./support/fake-clock.js";

type Answer = () => Response | Promise<Response>;

/** A participant whose requests get these answers, the last of them from then on. */
const answered = (answers: readonly Answer[], settings: Partial<ParticipantSettings> = {}) => {
  const clock = new FakeClock();
  const sent: Request[] = [];
  const answer: typeof fetch = async (address, init) => {
    sent.push(new Request(address, init));
    const next = answers[Math.min(sent.length, answers.length) - 1];
    if (next === undefined) throw new Error("no answer is given");
    return next();
  };
  const access = { url: "http://curtail.example", key: "ctp_1", clock, random: () => 0.5, fetch: answer };
  return { clock, sent, participant: createParticipant({ ...access, ...settings }) };
};

const ok =
  (body: unknown = {}): Answer =>
  () =>
    Response.json(body);
const refusal =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  () =>
    Response.json({ message: "it went wrong", type: "Some Type" }, { status, headers });
const broken: Answer = () => {
  throw new TypeError("fetch failed");
};

test("members of an input go to path, query and body", async () => {
  const { participant, sent } = answered([ok()]);
  await participant.getDispatch({ id: "a/b" });
  await participant.readTelemetry({ site_id: ["s1", "s2"], start_time: "2026-07-01T18:00:00Z" });
  const block = { available: false as const, start_time: "2026-07-01T18:00:00Z", end_time: "2026-07-01T19:00:00Z" };
  await participant.changeSchedule({ site_id: "s1", ...block });
  const base = "http://curtail.example/2022-04-15";
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET ${base}/dispatches/a%2Fb`,
    `GET ${base}/telemetry/kw?site_id=s1&site_id=s2&start_time=2026-07-01T18%3A00%3A00Z`,
    `POST ${base}/schedule/sites/s1`,
  ]);
  expect(await sent[2]?.json()).toEqual(block);
  expect(sent.every(({ headers }) => headers.get("x-service-api-key") === "ctp_1")).toBe(true);
});

test("an upload outlives too many requests, faults of the service and lost connections", async () => {
  const { participant, sent, clock } = answered([refusal(429, { "retry-after": "3" }), refusal(503), broken, ok()]);
  await participant.uploadTelemetry({ telemetry: [] });
  expect(sent).toHaveLength(4);
  expect(clock.waits).toEqual([3250, 500, 1000]);
});

test("after five attempts the failure is thrown with status, type, message and Retry-After", async () => {
  const { participant, sent } = answered([refusal(500, { "retry-after": "1" })]);
  const failure = await participant.listSites().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ErrorResponse);
  expect(failure).toMatchObject({
    status: 500,
    type: "Some Type",
    retryAfter: 1,
    message: "GET /sites returned 500: it went wrong",
  });
  expect(sent).toHaveLength(5);
});

test("a service that cannot be reached is a failure without a status", async () => {
  const { participant } = answered([broken], { retry: { attempts: 2 } });
  const failure = await participant.listSites().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NoResponse);
  expect(failure).toMatchObject({ status: null, type: "No Response", retryAfter: null });
});

test("registering a webhook is not repeated after an unknown outcome, but after too many requests", async () => {
  const hook = { url: "https://example.com", events: [] };
  const unknown = answered([broken, ok()]);
  await expect(unknown.participant.createWebhook(hook)).rejects.toThrow(NoResponse);
  expect(unknown.sent).toHaveLength(1);
  const limited = answered([refusal(429), ok()]);
  await limited.participant.createWebhook(hook);
  expect(limited.sent).toHaveLength(2);
});

test("repeats of one test dispatch have one Idempotency-Key, another has another", async () => {
  const times = { start_time: "2026-07-01T18:00:00Z", end_time: "2026-07-01T19:00:00Z" };
  const { participant, sent } = answered([broken, refusal(500), ok()]);
  await participant.createTestDispatch(times);
  await participant.createTestDispatch(times);
  await participant.createTestDispatch(times, { idempotencyKey: "mine" });
  const [first, second, third, other, own] = sent.map(({ headers }) => headers.get("idempotency-key"));
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect([second, third]).toEqual([first, first]);
  expect(other).not.toBe(first);
  expect(own).toBe("mine");
});

test("a result in preparation is waited for", async () => {
  const { participant, clock } = answered([refusal(202, { "retry-after": "2" }), ok({ state: "final" })]);
  expect(await participant.getDispatchPerformance({ id: "dis_1" })).toEqual({ state: "final" });
  expect(clock.waits).toEqual([2250]);
});

test("a file is returned as a response, an error is thrown", async () => {
  const table = answered([() => new Response("time,kW\n")]);
  expect(await (await table.participant.downloadDispatchTable({ id: "dis_1" })).text()).toBe("time,kW\n");
  const gone = answered([refusal(404)]);
  await expect(gone.participant.downloadDispatchTable({ id: "dis_1" })).rejects.toMatchObject({ status: 404 });
});

test("an aborted signal ends the wait for the next attempt, and its reason is thrown", async () => {
  const stop = new AbortController();
  const { participant, sent } = answered([refusal(429, { "retry-after": "60" })], { clock: systemClock });
  const calling = participant.listSites({ signal: stop.signal });
  setTimeout(() => stop.abort(new Error("shutting down")), 20);
  await expect(calling).rejects.toThrow("shutting down");
  expect(sent).toHaveLength(1);
});

/** Never responds; ends as `fetch` does when its signal is aborted. */
const silent: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) =>
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error)),
  );

test("an aborted signal ends a request under way", async () => {
  const stop = new AbortController();
  const { participant } = answered([], { fetch: silent });
  const calling = participant.listSites({ signal: stop.signal });
  stop.abort(new Error("shutting down"));
  await expect(calling).rejects.toThrow("shutting down");
});

test("an attempt that takes longer than its limit is a lost one", async () => {
  const { participant, clock } = answered([], { fetch: silent, retry: { attempts: 2 } });
  await expect(participant.listSites({ timeoutMs: 5 })).rejects.toMatchObject({
    name: "NoResponse",
    cause: { name: "TimeoutError" },
  });
  expect(clock.waits).toHaveLength(1);
});
