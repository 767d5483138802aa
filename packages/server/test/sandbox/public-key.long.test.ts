import {
  changeSchedule,
  createTestDispatch,
  deleteWebhook,
  getDispatchPerformance,
  getSitePerformance,
  listWebhooks,
} from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { ahead, call, expectToMoveOn, hook, load, prepare, siteIds } from "../support/public-key.js";

beforeAll(prepare);

test("C8: the public key's dispatch keeps its id and moves on with every call, though a thousand come at once", async () => {
  await expectToMoveOn(1000);
});

describe("the public key's sites", () => {
  test("have readings of a fixed curve in any past window, and none in the future", async () => {
    const query = `/telemetry/kw?site_id=${siteIds[0]}&site_id=${siteIds[1]}&interval_seconds=3600`;
    const year = "&start_time=2023-07-01T00:00:00Z&end_time=2023-07-02T00:00:00Z";
    const first = await call("GET", query + year);
    expect(first.body.data.sites.map(({ site_id }: { site_id: string }) => site_id)).toEqual(siteIds);
    expect(first.body.data.sites[0].meters[0].telemetry).toHaveLength(24);
    expect((await call("GET", query + year)).text).toBe(first.text);
    const next = await call("GET", query + "&start_time=2023-07-02T00:00:00Z&end_time=2023-07-03T00:00:00Z");
    const values = (answer: typeof first) =>
      answer.body.data.sites[1].meters[0].telemetry.map(({ value }: { value: number }) => value);
    expect(values(next)).toEqual(values(first));
    const future = await call("GET", `${query}&start_time=${ahead(60)}&end_time=${ahead(600)}`);
    expect(future.body.data.sites[0].meters[0].telemetry).toEqual([]);
    const edge = await call(
      "GET",
      `/telemetry/kw?site_id=${siteIds[0]}&start_time=${ahead(-10)}&end_time=${ahead(10)}`,
    );
    expect(edge.body.data.sites[0].meters[0].telemetry).toHaveLength(20);
  });

  test("are measured by those readings: a baseline and a curve to parse, ahead of the dispatch", async () => {
    const { status, body } = await call(getDispatchPerformance, { params: { id: "dis_sandbox" } });
    expect(status).toBe(200);
    expect(body.state).toBe("upcoming");
    expect(body.sites.map(({ site_id }) => site_id)).toEqual(siteIds);
    const { body: site } = await call("GET", `/dispatches/dis_sandbox/sites/${siteIds[0]}/performance`);
    expect(site.site.baseline).toBe("found");
    expect(site.explanation.pool.length).toBeGreaterThanOrEqual(2);
    expect(site.curve.filter((cell: { load_kw: number | null }) => cell.load_kw !== null).length).toBeGreaterThan(100);
    expectError(await call(getSitePerformance, { params: { id: "dis_sandbox", site_id: "site_other" } }), 404);
    expectError(await call(getDispatchPerformance, { params: { id: "dis_other" } }), 404);
    expectError(await call(getDispatchPerformance, { params: { id: "dis_sandbox" }, query: { version: 1 } }), 404);
  });
});

describe("what is sent with the public key", () => {
  test("J2, SCH10, SCH2, E1, L1: is refused where production refuses it", async () => {
    const wrong = { controllable_load: [load(), load({ units: "MW" })] };
    expectError(await call("POST", "/telemetry/controllable-load", wrong), 400, /controllable_load\[1\]/);
    const block = { available: false, start_time: ahead(60), end_time: ahead(120) };
    expectError(await call(changeSchedule, { params: { site_id: "site_other" }, body: block }), 404);
    expectError(await call("POST", `/schedule/sites/${siteIds[0]}`, { ...block, available: true }), 400);
    expectError(await call("POST", `/schedule/sites/${siteIds[0]}`, { ...block, start_time: ahead(-1) }), 400);
    expectError(await call(createTestDispatch, { body: { start_time: ahead(-5), end_time: ahead(5) } }), 400, /future/);
    expectError(await call("POST", "/webhooks", { url: hook.url }), 400, /events/);
  });
});

describe("the public key's webhook", () => {
  test("is answered by a deletion and still there", async () => {
    const { webhooks } = (await call(listWebhooks)).body;
    expect((await call(deleteWebhook, { params: { id: webhooks[0]?.id ?? "" } })).body).toEqual(webhooks[0]);
    expect((await call(listWebhooks)).body.webhooks).toEqual(webhooks);
    expectError(await call(deleteWebhook, { params: { id: "wh_other" } }), 404);
  });
});
