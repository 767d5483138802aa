import { readFile } from "node:fs/promises";
import { operator as contract, getDispatchPerformance, getSitePerformance, readTelemetry } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enableDisplay } from "../../support/display.js";
import { openStreamAt } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, intervalsBetween, measuredProgram, uploadIntervals } from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Production: "a new integration's sites are enabled for data display only after the operator is told that streaming works."
const START = "2026-06-10T18:00:00Z";
const at = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();

let service: Running;
let auditor: Browser;

beforeAll(async () => {
  service = await running();
  auditor = await newBrowser(service, "auditor");
});

const newest = async () => (await service.operator("GET", "/audit?limit=1")).body.items[0];

describe("a site", () => {
  let anna: Participant;
  let path: string;

  beforeEach(async () => {
    service.clock.set(new Date(START));
    anna = await service.newParticipant();
    path = `/sites/${firstOf(anna).siteId}`;
  });

  test("is not displayed until an operator enables it, and again not when it is taken back", async () => {
    expect((await service.operator("GET", path)).body).toMatchObject({
      display_enabled: false,
      display_enabled_at: null,
    });
    const enabled = await service.operator("PATCH", path, { display_enabled: true });
    expect(enabled.body).toMatchObject({ display_enabled: true, display_enabled_at: START });
    service.clock.set(new Date(at(5)));
    const again = await service.operator("PATCH", path, { display_enabled: true, name: "Renamed" });
    expect(again.body).toMatchObject({ name: "Renamed", display_enabled: true, display_enabled_at: START });
    const disabled = await service.operator("PATCH", path, { display_enabled: false });
    expect(disabled.body).toMatchObject({ name: "Renamed", display_enabled: false, display_enabled_at: null });
  });

  test("has the change audited with who made it, and no entry where nothing changed", async () => {
    const operator = await newBrowser(service, "operator");
    await operator.operator("PATCH", path, { display_enabled: true });
    const entry = await newest();
    expect(entry).toMatchObject({ action: "site.change", actor: `user:${operator.id}`, subject: firstOf(anna).siteId });
    expect([entry?.before.display_enabled_at, entry?.after.display_enabled_at]).toEqual([null, "2026-06-10T18:00:00Z"]);
    await service.operator("PATCH", path, { display_enabled: true });
    expect((await newest()).id).toBe(entry?.id);
  });

  test("is enabled by no auditor, nor by the participant's people", async () => {
    const admin = await newBrowser(service, "participant-admin", anna.accountId);
    for (const browser of [auditor, admin])
      expectError(await browser.operator("PATCH", path, { display_enabled: true }), 404, /for the role/);
    expectError(await service.operator("PATCH", path, { display_enabled: "yes" }), 400, /display_enabled/);
    expect((await auditor.operator("GET", path)).body.display_enabled).toBe(false);
  });

  test("that a database had before it was upgraded is displayed", async () => {
    const { pool } = service.database;
    const client = await pool.connect();
    try {
      await client.query("begin; alter table sites drop column display_enabled_at");
      await client.query(await readFile(new URL("../../../migrations/0010_display.sql", import.meta.url), "utf8"));
      const { rows } = await client.query("select count(*) as all, count(display_enabled_at) as displayed from sites");
      expect(rows[0].displayed).toBe(rows[0].all);
      expect(rows[0].all).toBeGreaterThan(0);
    } finally {
      await client.query("rollback");
      client.release();
    }
  });
});

describe("the data of a site that is not displayed", () => {
  let anna: Participant;
  let viewer: Browser;
  let dispatchId: string;
  const readings = (site: number, [from, to]: readonly [number, number], kw: number) =>
    uploadIntervals(
      anna,
      anna.sites[site]?.meters[0] ?? "",
      intervalsBetween([at(from), at(to)], 30, () => kw),
    );
  const siteId = (site: number): string => anna.sites[site]?.id ?? "";
  const show = (site: number, display_enabled = true) =>
    service.made(contract.changeSite, { params: { id: siteId(site) }, body: { display_enabled } });

  // Two sites in a dispatch; the data of the second is visible.
  beforeEach(async () => {
    service.clock.set(new Date(START));
    anna = await service.newParticipant({ sites: [["main"], ["main"]] });
    viewer = await newBrowser(service, "participant-viewer", anna.accountId);
    await show(1);
    for (const site of [0, 1]) await readings(site, [-60, 0], 100);
    const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
    const programId = await measuredProgram(service, [anna], { baseline, commitment: 40 });
    dispatchId = await dispatchBetween(service, programId, [START, at(60)]);
    service.clock.set(new Date(at(10)));
    for (const site of [0, 1]) await readings(site, [0, 10], 60);
  });

  test("is left out of its telemetry on pages, where its meters are empty", async () => {
    const path = `/telemetry/kw?site_id=${siteId(0)}&site_id=${siteId(1)}&start_time=${at(-5)}&end_time=${at(10)}`;
    const { sites } = (await viewer.console("GET", path)).body.data;
    expect(sites[0]).toEqual({ site_id: siteId(0), meters: [{ meter_id: anna.sites[0]?.meters[0], telemetry: [] }] });
    expect(sites[1].meters[0].telemetry).toHaveLength(30);
    await show(0);
    expect((await viewer.console("GET", path)).text).toBe((await anna.call("GET", path)).text);
  });

  test("is left out of a dispatch's performance and its sums on pages", async () => {
    const path = `/dispatches/${dispatchId}/performance`;
    const seen = (await viewer.console("GET", path)).body;
    expect(seen.sites).toMatchObject([{ site_id: siteId(1), mean_reduction_kw: 40 }]);
    expect(seen.totals).toMatchObject({ sites: 1, commitment_kw: 40, now: { reduction_kw: 40 } });
    await show(1, false);
    expect((await viewer.console("GET", path)).body).toMatchObject({ sites: [], totals: { sites: 0 } });
  });

  test("has no curves on pages, which say what is missing", async () => {
    const path = `/dispatches/${dispatchId}/sites/${siteId(0)}/performance`;
    for (const format of ["", "?format=csv"])
      expectError(await viewer.console("GET", path + format), 404, /not visible until the operator enables it/);
    await show(0);
    expect((await viewer.console("GET", path)).body.curve.length).toBeGreaterThan(0);
  });

  test("is in the participant's interface as ever", async () => {
    const { body } = await anna.call(getDispatchPerformance, { params: { id: dispatchId } });
    expect(body.totals).toMatchObject({ sites: 2, commitment_kw: 80 });
    const curve = await anna.call(getSitePerformance, { params: { id: dispatchId, site_id: siteId(0) } });
    expect(curve.status).toBe(200);
    const telemetry = await anna.call(readTelemetry, { query: { site_id: [siteId(0)], start_time: at(0) } });
    expect(telemetry.body.data.sites[0]?.meters[0]?.telemetry.length).toBeGreaterThan(0);
  });

  test("is not streamed to pages, until it is displayed", async () => {
    const stream = await openStreamAt(`${service.url}/console/v1/dispatches/${dispatchId}/performance/stream`, {
      cookie: `curtail_session=${viewer.token}`,
    });
    const sitesOf = async () => (await stream.next())?.data.sites.map((site: { site_id: string }) => site.site_id);
    expect(await sitesOf()).toEqual([siteId(1)]);
    await readings(0, [4, 6], 50);
    await readings(1, [4, 6], 50);
    expect(await sitesOf()).toEqual([siteId(1)]);
    await show(0);
    let kw = 50;
    const nextSites = async () => {
      kw -= 1;
      for (const site of [0, 1]) await readings(site, [4, 6], kw);
      return sitesOf();
    };
    await expect.poll(nextSites, { timeout: 15_000 }).toContain(siteId(0));
    stream.close();
  });

  test("of another account stays unknown, displayed or not", async () => {
    const ben = await service.newParticipant();
    await enableDisplay(service, ben);
    const other = await newBrowser(service, "participant-admin", ben.accountId);
    for (const path of [
      `/telemetry/kw?site_id=${siteId(0)}&start_time=${at(0)}`,
      `/dispatches/${dispatchId}/performance`,
      `/dispatches/${dispatchId}/sites/${siteId(0)}/performance`,
    ])
      expectError(await other.console("GET", path), 404, /No such/);
  });
});
