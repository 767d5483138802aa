import { operator as contract, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { enableDisplay } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import {
  anna,
  at,
  board,
  measured,
  meterId,
  NOW,
  overview,
  prepare,
  prepareBoard,
  prepareEach,
  reads,
  service,
  siteId,
} from "../../support/overviews.js";
import { newBrowser } from "../../support/people.js";

const seen = async (minutes: number) => {
  service.clock.set(new Date(at(minutes)));
  return (await overview()).sites[0]?.dispatch;
};

/** Of each upcoming dispatch, its accounts and those of them that it has reached. */
const notified = async () => (await board()).dispatches.upcoming.map((each) => [each.accounts, each.accounts_notified]);

describe("the overview of an account", () => {
  beforeAll(prepare);

  beforeEach(prepareEach);

  test("has each site with the sum of the meters that read within 15 minutes", async () => {
    await service.made(contract.changeMeter, { params: { id: meterId(0, 1) }, body: { asset_type: "generator" } });
    await reads(meterId(0), -14.5, 100);
    await reads(meterId(0, 1), -1, -30);
    await reads(meterId(1), -15, 70);
    const { as_of, sites } = await overview();
    expect(as_of).toBe(NOW);
    expect(sites).toMatchObject([
      {
        id: siteId(0),
        display_enabled: true,
        load_kw: 70,
        last_reading_at: at(-1),
        stale: false,
        meters: [
          { id: meterId(0), name: "main", asset_type: "load", last_reading: { timestamp: at(-14.5), value: 100 } },
          { name: "roof", asset_type: "generator", last_reading: { timestamp: at(-1), value: -30 } },
        ],
        available: true,
        unavailable_until: null,
        dispatch: null,
      },
      { id: siteId(1), load_kw: null, last_reading_at: at(-15), stale: true },
    ]);
  });

  test("calls a site stale of which a meter fell silent in the last 7 days, and none of which one never read", async () => {
    await reads(meterId(0), 0, 100);
    expect((await overview()).sites[0]).toMatchObject({ load_kw: 100, stale: false });
    await reads(meterId(0, 1), -7 * 24 * 60, 5);
    expect((await overview()).sites[0]).toMatchObject({ load_kw: 100, stale: false });
    await reads(meterId(0, 1), -7 * 24 * 60 + 0.5, 5);
    expect((await overview()).sites[0]).toMatchObject({ load_kw: 100, stale: true });
  });

  test("has nothing that was measured of a site that is not displayed", async () => {
    await reads(meterId(0), 0, 100);
    await service.made(contract.changeSite, { params: { id: siteId(0) }, body: { display_enabled: false } });
    const [site] = (await overview()).sites;
    expect(site).toMatchObject({ display_enabled: false, load_kw: null, last_reading_at: null, stale: false });
    expect(site?.meters).toMatchObject([{ last_reading: null }, { last_reading: null }]);
  });

  test("has the dispatch in progress, or the next that participants were told of", async () => {
    const programId = await newProgram(service, [anna], { name: "Peak" });
    const sites = [{ site_id: siteId(0) }];
    const dispatch = (from: number, to: number, rest: object = {}) =>
      newDispatch(service, programId, { start_time: at(from), end_time: at(to), sites, ...rest });
    const later = await dispatch(60, 70);
    const soon = await dispatch(10, 20);
    await dispatch(5, 7, { notification_time: at(4) });
    const cancelled = await dispatch(2, 4);
    await service.made(contract.changeDispatch, { params: { id: cancelled.id }, body: { authorized: false } });
    const soonSeen = { id: soon.id, program: { id: programId, name: "Peak" }, start_time: at(10), end_time: at(20) };
    const unmeasured = { commitment_kw: 50, delivered_kw: null, status: null };
    expect(await seen(0)).toMatchObject({ ...soonSeen, ...unmeasured, state: "upcoming" });
    expect(await seen(10)).toMatchObject({ ...soonSeen, state: "in_progress" });
    expect(await seen(20)).toMatchObject({ id: soon.id, state: "in_progress" });
    expect(await seen(20.1)).toMatchObject({ id: later.id, state: "upcoming" });
    expect((await overview()).sites[1]?.dispatch).toBeNull();
  });

  test("tells what a site delivers once it was read, as long as its readings are young", async () => {
    const dispatchId = await measured();
    await expect.poll(async () => (await overview()).sites[0]?.dispatch?.delivered_kw).toBe(40);
    expect((await overview()).sites[0]?.dispatch).toMatchObject({ id: dispatchId, status: { colour: "green" } });
    await service.made(contract.changeSite, { params: { id: siteId(0) }, body: { display_enabled: false } });
    const hidden = { id: dispatchId, commitment_kw: 40, delivered_kw: null, status: null };
    expect((await overview()).sites[0]?.dispatch).toMatchObject(hidden);
    await enableDisplay(service, anna);
    // Readings of five minutes: after ten minutes the next one is late.
    service.clock.set(new Date(at(20)));
    expect((await overview()).sites[0]?.dispatch?.delivered_kw).toBe(40);
    service.clock.set(new Date(at(20.5)));
    expect((await overview()).sites[0]?.dispatch?.delivered_kw).toBeNull();
  });

  test("is one's own", async () => {
    const ben = await service.newParticipant();
    const other = await newBrowser(service, "participant-admin", ben.accountId);
    const { sites } = await overview(other);
    expect(sites.map((site) => site.id)).toEqual([ben.sites[0]?.id]);
    const operator = await newBrowser(service, "operator");
    expectError(await operator.console(participantConsole.getAccountOverview), 404, /for the role operator/);
  });
});

describe("the operator's overview", () => {
  beforeEach(prepareBoard);

  test("counts accounts, sites and meters, those that stream and those that are stale", async () => {
    await reads(meterId(0), -14.5, 100);
    await reads(meterId(1), 0, 50);
    expect(await board()).toMatchObject({
      as_of: NOW,
      accounts: 1,
      sites: 3,
      sites_streaming: 2,
      sites_stale: 1,
      meters: 3,
      load_kw: 150,
      load_meters: 3,
      load_meters_reporting: 2,
      alarms_open: 0,
    });
    await reads(meterId(0, 1), -60, 10);
    service.clock.set(new Date(at(0.5)));
    expect(await board()).toMatchObject({ sites_streaming: 1, sites_stale: 2, load_kw: 50, load_meters_reporting: 1 });
  });

  test("has every dispatch in progress with what it delivers, and those of the next 7 days", async () => {
    const active = await measured();
    const programId = await newProgram(service, [anna], { name: "Peak" });
    const week = 10 + 7 * 24 * 60;
    const [soon, last] = [
      await newDispatch(service, programId, { start_time: at(11), test: true }),
      await newDispatch(service, programId, { start_time: at(week) }),
    ];
    await newDispatch(service, programId, { start_time: at(week + 0.1) });
    const gone = await newDispatch(service, programId, { start_time: at(12) });
    await service.made(contract.changeDispatch, { params: { id: gone.id }, body: { authorized: false } });
    await expect.poll(async () => (await board()).dispatches.active[0]?.delivered_kw).toBe(40);
    const { dispatches } = await board();
    expect(dispatches.active).toMatchObject([
      { id: active, program_name: "Measured", test: false, sites: 1, commitment_kw: 40, end_time: at(60) },
    ]);
    expect(dispatches.active[0]).toMatchObject({
      timezone: "UTC",
      notification_time: NOW,
      ramp_until: null,
      sites_measured: 1,
      trend_kw: 0,
      curve: { from: NOW, step_seconds: 30 },
    });
    expect(dispatches.active[0]?.curve?.delivered_kw).toEqual(Array.from({ length: 20 }, () => 40));
    expect(dispatches.active[0]?.sites_by_status).toEqual({ red: 0, amber: 0, green: 1, blue: 0, grey: 0 });
    expect(dispatches.upcoming.map((each) => each.id)).toEqual([soon.id, last.id]);
    expect(dispatches.upcoming[0]).toMatchObject({
      program_id: programId,
      program_name: "Peak",
      test: true,
      sites: 3,
      commitment_kw: 150,
      end_time: null,
      delivered_kw: null,
      sites_by_status: null,
    });
  });

  test("counts the accounts that the latest modification has reached, of dispatches that start within a day", async () => {
    const ben = await service.newParticipant();
    const programId = await newProgram(service, [anna, ben]);
    const openadr = { level: 1, ramp_up_seconds: 90 } as const;
    await service.made(contract.changeProgram, { params: { id: programId }, body: { openadr } });
    const dispatch = (minutes: number) =>
      newDispatch(service, programId, { start_time: at(minutes), end_time: at(minutes + 60) });
    const [soon] = [await dispatch(60), await dispatch(24 * 60 + 1)];
    expect(await notified()).toEqual([
      [2, 0],
      [null, null],
    ]);
    expect((await board()).dispatches.upcoming[0]?.ramp_until).toBe(at(61.5));
    expect((await anna.call("GET", "/dispatches")).status).toBe(200);
    expect(await notified()).toEqual([
      [2, 1],
      [null, null],
    ]);
    await service.made(contract.changeDispatch, { params: { id: soon.id }, body: { end_time: at(150) } });
    expect((await notified())[0]).toEqual([2, 0]);
    await service.made(contract.changeAccount, { params: { id: ben.accountId }, body: { disabled: true } });
    expect((await anna.call("GET", "/dispatches")).status).toBe(200);
    expect((await notified())[0]).toEqual([1, 1]);
  });

  test("is read by auditors, and by no participant", async () => {
    const auditor = await newBrowser(service, "auditor");
    expect((await auditor.operator(contract.getOverview)).body).toEqual(await board());
    const admin = await newBrowser(service, "participant-admin", anna.accountId);
    expectError(await admin.operator(contract.getOverview), 404, /for the role/);
  });
});
