import {
  changeSchedule,
  createTestDispatch,
  createWebhook,
  getDispatch,
  listDispatches,
  operator,
  participantConsole,
} from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { enableDisplay } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import { intervalsBetween, measuredProgram, uploadIntervals } from "../../support/measuring.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { recorded } from "../../support/recorded.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { listeningToVens, type Vens } from "../../support/vens.js";

// Production: "Each new site must pass a dispatch verification (a site-specific end-to-end test in production)."
const NOW = "2026-06-10T18:00:00Z";
const at = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString().replace(".000", "");

let service: Running;
let vens: Vens;
let auditor: Browser;
let anna: Participant;
let viewer: Browser;
let programId: string;

beforeAll(async () => {
  service = await running();
  vens = await listeningToVens(service);
  auditor = await newBrowser(service, "auditor");
});

beforeEach(async () => {
  service.clock.set(new Date(NOW));
  anna = await service.newParticipant();
  viewer = await newBrowser(service, "participant-viewer", anna.accountId);
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  programId = await measuredProgram(service, [anna], { baseline, commitment: 40 });
});

const siteId = (): string => anna.sites[0]?.id ?? "";
const path = (): string => `/sites/${siteId()}/onboarding`;
const onboarding = async () => (await service.operator("GET", path())).body;
const streaming = async () => (await onboarding()).steps[0];
const verification = async () => (await onboarding()).verification;
const doneOf = ({ steps }: { steps: Array<{ step: string; done: boolean }> }) =>
  steps.filter(({ done }) => done).map(({ step }) => step);

/** Readings of the site between two minutes from now. */
const loads = (from: number, to: number, kw: number): Promise<void> =>
  uploadIntervals(
    anna,
    anna.sites[0]?.meters[0] ?? "",
    intervalsBetween([at(from), at(to)], 30, () => kw),
  );

const verify = (body: object = {}) =>
  service.made(operator.verifySite, { params: { id: siteId() }, body: { program_id: programId, ...body } });

/** A finished test of the site that delivered this much of 40 kW; `learn` determines how the account learned of it. */
const verified = async (kw: number, learn: (dispatchId: string) => Promise<unknown>, body: object = {}) => {
  await loads(-60, 0, 100);
  const { id } = await verify(body);
  await learn(id);
  service.clock.set(new Date(at(17)));
  await loads(0, 1, 100);
  await loads(1, 17, 100 - kw);
  return id;
};

const poll = () => anna.call(listDispatches);

describe("the checklist of a site", () => {
  test("says what is missing, and of each step when it is done", async () => {
    const before = await onboarding();
    expect(before).toMatchObject({ site_id: siteId(), verification: null });
    expect(before.steps.map((each: { step: string }) => each.step)).toEqual([
      "data_streaming",
      "display_enabled",
      "dispatch_verified",
    ]);
    expect(doneOf(before)).toEqual([]);
    await enableDisplay(service, anna);
    const id = await verified(40, poll);
    const after = await onboarding();
    expect(after.steps).toMatchObject([
      { done: true, at: null },
      { done: true, at: NOW },
      { done: true, at: at(16) },
    ]);
    expect(after.verification).toMatchObject({
      dispatch_id: id,
      state: "ended",
      start_time: at(1),
      end_time: at(16),
      learnt: true,
      commitment_kw: 40,
      delivered_kw: 40,
      status: { colour: "green" },
      passed: true,
    });
  });

  test("has streaming done with 90 % of the last hour's readings of every meter", async () => {
    await loads(-60, -6.5, 100);
    expect(await streaming()).toMatchObject({ done: false, detail: expect.stringMatching(/main 89 %/) });
    await loads(-6.5, -6, 100);
    expect((await streaming()).done).toBe(true);
    service.clock.set(new Date(at(0.5)));
    expect((await streaming()).done).toBe(false);
    service.clock.set(new Date(NOW));
    await service.made(operator.createMeter, { params: { id: siteId() }, body: { name: "roof" } });
    expect(await streaming()).toMatchObject({ done: false, detail: expect.stringMatching(/roof 0 %$/) });
  });

  test("keeps the verification by the final result", async () => {
    await verified(40, poll);
    service.clock.set(new Date(at(16 + 62)));
    await loads(17, 16 + 62, 100);
    await vi.waitUntil(
      async () => {
        service.clock.advance({ seconds: 6 });
        return (await verification()).state === "final";
      },
      { timeout: 15_000, interval: 100 },
    );
    expect(await verification()).toMatchObject({ passed: true, delivered_kw: 40 });
  });

  test("does not count what delivered too little, and counts a later test that delivers", async () => {
    const failed = await verified(20, poll);
    expect(await verification()).toMatchObject({
      dispatch_id: failed,
      delivered_kw: 20,
      passed: false,
      status: { colour: "red" },
      reason: expect.stringMatching(/less of its commitment/),
    });
    await verify({ start_time: at(18), duration_seconds: 60 });
    expect(await verification()).toMatchObject({ state: "upcoming", passed: false, delivered_kw: null });
    await poll();
    service.clock.set(new Date(at(19)));
    await loads(17, 18, 80);
    await loads(18, 19, 30);
    expect(await verification()).toMatchObject({ start_time: at(18), passed: true });
  });

  test("without a commitment takes any reduction", async () => {
    await verified(0.5, poll, { commitment: null });
    expect(await verification()).toMatchObject({ commitment_kw: null, passed: true, delivered_kw: 0.5 });
  });

  test("does not count a test that the account did not learn of", async () => {
    await verified(40, async () => {});
    expect(await verification()).toMatchObject({ learnt: false, passed: false });
    expect(doneOf(await onboarding())).toEqual(["data_streaming"]);
  });

  test("knows who fetched, who was told by webhook and whose VEN polled", async () => {
    const { id } = await verify();
    expect((await verification()).learnt).toBe(false);
    await anna.call(getDispatch, { params: { id } });
    expect((await verification()).learnt).toBe(true);
    const hook = await receiver();
    await anna.call(createWebhook, { body: { url: hook.url, events: [{ name: "dispatch.create" }] } });
    hook.answer = 500;
    const told = await verify({ start_time: at(30) });
    await recorded(service, told.id, 1);
    expect((await verification()).learnt).toBe(false);
    hook.answer = 200;
    service.clock.advance({ seconds: 3 });
    await recorded(service, told.id, 2);
    expect((await verification()).learnt).toBe(true);
    const ven = await vens.newVen(anna);
    await verify({ start_time: at(60) });
    hook.answer = 500;
    const polled = await verify({ start_time: at(90) });
    await recorded(service, polled.id, 1);
    expect((await verification()).learnt).toBe(false);
    await ven.poll();
    expect((await verification()).learnt).toBe(true);
  });

  test("counts no dispatch that calls other sites too, or is no test", async () => {
    const ben = await service.newParticipant();
    const other = await newProgram(service, [ben]);
    const sites = [{ site_id: siteId() }, { site_id: ben.sites[0]?.id ?? "" }];
    await newDispatch(service, other, { test: true, sites });
    await newDispatch(service, programId, { sites: sites.slice(0, 1) });
    expect(await verification()).toBeNull();
    const own = await anna.call(createTestDispatch, { body: { start_time: at(10), end_time: at(20) } });
    expect((await verification()).dispatch_id).toBe(own.body.id);
  });
});

const post = (body: object) => service.operator("POST", `/sites/${siteId()}/verification`, body);

describe("verifying a site", () => {
  test("calls it alone as a test, in a minute for a quarter of an hour with its enrolment's commitment", async () => {
    const made = await verify();
    const dispatch = (await service.operator(operator.getAnyDispatch, { params: { id: made.id } })).body;
    expect(dispatch).toMatchObject({ test: true, start_time: at(1), end_time: at(16), program: { id: programId } });
    expect(dispatch.sites).toMatchObject([{ id: siteId(), commitment: 40 }]);
    const [entry] = (await service.operator(operator.listAudit, { query: { limit: 1 } })).body.items;
    expect(entry).toMatchObject({ action: "dispatch.create", subject: made.id, actor: "operator" });
  });

  test("takes a start, a length from 60 s to a day and a commitment", async () => {
    const asked = { start_time: at(60), duration_seconds: 60, commitment: 5 };
    expect(await verify(asked)).toMatchObject({ start_time: at(60), end_time: at(61), sites: [{ commitment: 5 }] });
    expect(await verify({ duration_seconds: 86_400 })).toMatchObject({ end_time: at(1441) });
    for (const duration_seconds of [59, 86_401, 90.5, "900"])
      expectError(await post({ program_id: programId, duration_seconds }), 400, /duration_seconds/);
    expectError(await post({ program_id: "prg_0" }), 400, /program_id is prg_0/);
    expectError(await post({ program_id: programId, start_time: "soon" }), 400, /start_time/);
  });

  test("is refused where the site is unknown or not available", async () => {
    const body = { program_id: programId };
    expectError(await service.operator(operator.verifySite, { params: { id: "site_0" }, body }), 404, /No such site/);
    await anna.call(changeSchedule, {
      params: { site_id: siteId() },
      body: { available: false, start_time: at(5), end_time: at(9) },
    });
    expectError(
      await service.operator(operator.verifySite, { params: { id: siteId() }, body }),
      400,
      /no site is available/,
    );
  });

  test("is not for auditors, who read the checklist", async () => {
    const body = { program_id: programId };
    expectError(
      await auditor.operator(operator.verifySite, { params: { id: siteId() }, body }),
      404,
      /for the role auditor/,
    );
    expect((await auditor.operator("GET", path())).body.verification).toBeNull();
    expectError(await service.operator(operator.getOnboarding, { params: { id: "site_0" } }), 404, /No such site/);
  });
});

const items = async (query: string) => {
  const found: Array<{ site_id: string }> = [];
  let cursor = "";
  do {
    const { body } = await service.operator("GET", `/onboarding?${query}${cursor}`);
    found.push(...body.items);
    cursor = body.next_cursor === null ? "" : `&cursor=${body.next_cursor}`;
  } while (cursor !== "");
  return found;
};

describe("the list of all sites", () => {
  test("has each with its steps, and with `open` those that lack one, page by page", async () => {
    await enableDisplay(service, anna);
    const ben = await service.newParticipant({ name: "Ben's works", sites: [["main"], ["main"]] });
    await verified(40, poll);
    // The first request starts the measurement; the list does not wait.
    await expect
      .poll(async () => (await items("limit=500")).find((each) => each.site_id === siteId()))
      .toMatchObject({ data_streaming: true, display_enabled: true, dispatch_verified: true });
    const open = await items("open=true&limit=500");
    expect(open.map((each) => each.site_id)).not.toContain(siteId());
    expect(await items("open=true&limit=1")).toEqual(open);
    expect(await items("open=false&limit=1")).toEqual(await items("limit=500"));
    expect(open.slice(-2)).toMatchObject(
      ben.sites.map(({ id }) => ({
        site_id: id,
        account_id: ben.accountId,
        account_name: "Ben's works",
        data_streaming: false,
        display_enabled: false,
        dispatch_verified: false,
      })),
    );
    await service.made(operator.changeAccount, {
      params: { id: ben.accountId },
      body: { disabled: true, confirm_running: true },
    });
    expect((await items("open=true&limit=500")).length).toBe(open.length - 2);
    expectError(await service.operator("GET", "/onboarding?open=yes"), 400, /open/);
  });
});

const own = async (browser: Browser) => (await browser.console(participantConsole.listOwnOnboarding)).body.items;

describe("a participant's own checklist", () => {
  test("is the operator's, but for what was measured while its display is not enabled", async () => {
    const id = await verified(40, poll);
    const whole = await onboarding();
    const [hidden] = await own(viewer);
    expect(hidden?.verification).toEqual({ ...whole.verification, delivered_kw: null, status: null });
    expect(hidden).toMatchObject({ site_id: siteId(), verification: { dispatch_id: id, passed: true } });
    await enableDisplay(service, anna);
    expect(await own(viewer)).toEqual([await onboarding()]);
  });

  test("knows no test that it is not told of yet", async () => {
    await newDispatch(service, programId, {
      test: true,
      sites: [{ site_id: siteId() }],
      start_time: at(10),
      notification_time: at(5),
    });
    expect(await verification()).not.toBeNull();
    expect((await own(viewer))[0]?.verification).toBeNull();
    service.clock.set(new Date(at(5)));
    expect((await own(viewer))[0]?.verification ?? null).not.toBeNull();
  });

  test("has no site of another account", async () => {
    const ben = await service.newParticipant();
    const other = await newBrowser(service, "participant-admin", ben.accountId);
    const sites = (await own(other)).map((each) => each.site_id);
    expect(sites).toEqual([ben.sites[0]?.id]);
    const body = { program_id: programId };
    expectError(await other.console("POST", `/sites/${siteId()}/verification`, body), 404);
    expectError(await other.operator("GET", path()), 404, /for the role/);
  });
});
