import { changeSchedule, createWebhook, getDispatch, operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newDispatch } from "../../support/dispatching.js";
import { enableDisplay } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import {
  anna,
  at,
  auditor,
  doneOf,
  NOW,
  onboarding,
  own,
  path,
  poll,
  prepare,
  prepareEach,
  programId,
  service,
  siteId,
  vens,
  verification,
  verified,
  verify,
  viewer,
} from "../../support/onboarding.js";
import { newBrowser } from "../../support/people.js";
import { recorded } from "../../support/recorded.js";

beforeAll(prepare);

beforeEach(prepareEach);

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
});

describe("verifying a site", () => {
  test("calls it alone as a test, in a minute for a quarter of an hour with its enrolment's commitment", async () => {
    const made = await verify();
    const dispatch = (await service.operator(operator.getAnyDispatch, { params: { id: made.id } })).body;
    expect(dispatch).toMatchObject({ test: true, start_time: at(1), end_time: at(16), program: { id: programId } });
    expect(dispatch.sites).toMatchObject([{ id: siteId(), commitment: 40 }]);
    const [entry] = (await service.operator(operator.listAudit, { query: { limit: 1 } })).body.items;
    expect(entry).toMatchObject({ action: "dispatch.create", subject: made.id, actor: "operator" });
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
