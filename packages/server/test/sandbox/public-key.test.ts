import {
  createTestDispatch,
  createWebhook,
  getDispatch,
  listDispatches,
  listSites,
  listWebhooks,
  uploadTelemetry,
} from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { ahead, call, expectToMoveOn, hook, load, prepare, service, siteIds } from "../support/public-key.js";
import { everythingStored } from "../support/stored.js";

beforeAll(prepare);
const both = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];

const reading = (more: object = {}) => ({
  interval_seconds: 60,
  timestamp: ahead(0),
  meter_id: "mtr_sandbox_lakeside",
  kW: 5,
  ...more,
});

describe("the public key's dispatch", () => {
  test("is one, of a fixed id, five minutes ahead and an hour long", async () => {
    service.clock.advance({ minutes: 1 });
    const { body } = await call(listDispatches);
    expect(body).toMatchObject({ page: 0, perPage: 0, dispatches: [{ id: "dis_sandbox", authorized: true }] });
    expect(body.dispatches).toHaveLength(1);
    expect(body.dispatches[0]).toMatchObject({ start_time: ahead(5), end_time: ahead(65) });
    expect(body.dispatches[0]?.sites.map(({ id }) => id)).toEqual(siteIds);
  });

  // A thousand: public-key.long.test.ts.
  test("C8: keeps its id and moves on with every call, though fifty come at once", async () => {
    await expectToMoveOn(50);
  });

  test("is found by its id, a second later with every call; no other is", async () => {
    const first = await call(getDispatch, { params: { id: "dis_sandbox" } });
    const second = await call(getDispatch, { params: { id: "dis_sandbox" } });
    expect(second.body.id).toBe("dis_sandbox");
    expect(Date.parse(second.body.start_time)).toBeGreaterThan(Date.parse(first.body.start_time));
    expectError(await call(getDispatch, { params: { id: "dis_other" } }), 404);
  });
});

describe("the public key's sites", () => {
  test("are the same two everywhere", async () => {
    const { body } = await call(listSites);
    expect(body.sites.map(({ id }) => id)).toEqual(siteIds);
    const [site] = body.sites;
    const { body: dispatch } = await call(getDispatch, { params: { id: "dis_sandbox" } });
    expect(dispatch.sites[0]).toMatchObject({
      id: site?.id,
      name: site?.name,
      customer_location_id: site?.customer_location_id,
    });
  });

  test("K5, K6, K1: are read under production's limits", async () => {
    const query = `/telemetry/kw?site_id=${siteIds[0]}&start_time=2023-01-01T00:00:00Z`;
    expectError(await call("GET", `${query}&end_time=2023-04-01T00:00:01Z&interval_seconds=3600`), 400, /90 days/);
    expectError(await call("GET", `${query}&end_time=2023-01-05T00:00:00Z`), 400, /10000 points/);
    expectError(await call("GET", query.replace(siteIds[0] ?? "", "site_other")), 404);
  });
});

describe("what is sent with the public key", () => {
  test("I31: is checked and answered like production's, and leaves no row in any table", async () => {
    const before = await everythingStored(service);
    const bySite = { ...reading({ site_id: siteIds[1] }), meter_id: undefined };
    expect((await call("POST", "/telemetry", { telemetry: [reading(), bySite] })).body).toEqual({ received: 2 });
    expect((await call("POST", "/telemetry/controllable-load", { controllable_load: [load()] })).body).toEqual({
      received: 1,
    });
    const block = { available: false, start_time: ahead(60), end_time: ahead(120) };
    const blocked = await call("POST", `/schedule/sites/${siteIds[0]}`, block);
    expect(blocked.body).toEqual({ site_id: siteIds[0], ...block });
    const period = { start_time: ahead(30), end_time: ahead(60) };
    const created = await call(createTestDispatch, { body: period });
    expect(created.body).toMatchObject({ ...period, test: true, program: { name: "Test dispatch" } });
    expectError(await call(createWebhook, { body: { url: hook.url, events: both } }), 400, /https/);
    expect(hook.received).toEqual([]);
    expect((await call(listWebhooks)).body.webhooks).toHaveLength(1);
    expectError(await call(getDispatch, { params: { id: created.body.id } }), 404);
    expect(await everythingStored(service)).toEqual(before);
  });

  test.each([
    ["I1", { interval_seconds: 45 }],
    ["I2", { interval_seconds: 330 }],
    ["I6", { site_id: siteIds[0] }],
    ["I11", { kW: "1" }],
    ["I17", { timestamp: "now" }],
    ["I18", { timestamp: "2100-01-01T00:00:00Z" }],
  ])("%s: is refused where production refuses it", async (_, wrong) => {
    expectError(
      await call(uploadTelemetry, { body: { telemetry: [reading(), reading(wrong)] } }),
      400,
      /telemetry\[1\]/,
    );
  });
});

describe("the sandbox's address", () => {
  test("A1, A6, A7: denies requests without a sandbox key, and production denies the public key", async () => {
    const anna = await service.newParticipant();
    for (const headers of [{}, { "x-service-api-key": anna.key }, { "x-service-api-key": "sandbox-public-kez" }]) {
      const response = await fetch(`${service.sandboxUrl}/2022-04-15/sites`, { headers });
      expectError({ status: response.status, body: await response.json() }, 401, /Permission denied/);
    }
    const headers = { "x-service-api-key": "sandbox-public-key" };
    expect((await fetch(`${service.url}/2022-04-15/sites`, { headers })).status).toBe(401);
  });

  test("has the reference and the health checks, and neither the operator API nor key links", async () => {
    const document = await (await fetch(`${service.sandboxUrl}/2022-04-15/openapi.json`)).json();
    expect(Object.keys((document as { paths: object }).paths)).toEqual(
      expect.arrayContaining(["/scenarios", "/telemetry/kw"]),
    );
    expect((await fetch(`${service.sandboxUrl}/readyz`)).status).toBe(200);
    const headers = { authorization: "Bearer operator-token-of-the-tests" };
    for (const path of ["/operator/v1/accounts", "/operator/v1/openapi.json", "/claim/abc"])
      expect((await fetch(service.sandboxUrl + path, { headers })).status).toBe(404);
  });
});
