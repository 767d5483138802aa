import { createTestDispatch, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { enableDisplay } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import {
  anna,
  at,
  doneOf,
  loads,
  NOW,
  onboarding,
  poll,
  prepare,
  prepareEach,
  programId,
  service,
  siteId,
  verification,
  verified,
  verify,
} from "../../support/onboarding.js";

beforeAll(prepare);

beforeEach(prepareEach);
const streaming = async () => (await onboarding()).steps[0];

describe("the checklist of a site", () => {
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
  test("takes a start, a length from 60 s to a day and a commitment", async () => {
    const asked = { start_time: at(60), duration_seconds: 60, commitment: 5 };
    expect(await verify(asked)).toMatchObject({ start_time: at(60), end_time: at(61), sites: [{ commitment: 5 }] });
    expect(await verify({ duration_seconds: 86_400 })).toMatchObject({ end_time: at(1441) });
    for (const duration_seconds of [59, 86_401, 90.5, "900"])
      expectError(await post({ program_id: programId, duration_seconds }), 400, /duration_seconds/);
    expectError(await post({ program_id: "prg_0" }), 400, /program_id is prg_0/);
    expectError(await post({ program_id: programId, start_time: "soon" }), 400, /start_time/);
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
