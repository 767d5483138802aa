import { changeSchedule, operator as contract, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { untilAlarms } from "../../support/alarms.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import {
  anna,
  at,
  board,
  measured,
  meterId,
  overview,
  prepare,
  prepareBoard,
  prepareEach,
  reads,
  service,
  siteId,
} from "../../support/overviews.js";
import { newBrowser } from "../../support/people.js";

describe("the overview of an account", () => {
  beforeAll(prepare);

  beforeEach(prepareEach);

  test("says until when a site is not available, blocks that adjoin taken together", async () => {
    for (const [start, end] of [
      [10, 20],
      [20, 40],
      [41, 50],
    ] as const) {
      const block = { available: false, start_time: at(start), end_time: at(end) };
      expect((await anna.call(changeSchedule, { params: { site_id: siteId(0) }, body: block })).status).toBe(200);
    }
    for (const [minutes, expected] of [
      [9, { available: true, unavailable_until: null }],
      [10, { available: false, unavailable_until: at(40) }],
      [39, { available: false, unavailable_until: at(40) }],
      [40, { available: true, unavailable_until: null }],
      [45, { available: false, unavailable_until: at(50) }],
    ] as const) {
      service.clock.set(new Date(at(minutes)));
      expect((await overview()).sites[0]).toMatchObject(expected);
    }
  });
});

describe("the operator's overview", () => {
  beforeEach(prepareBoard);

  test("has the load at the point of interconnection, which includes that of the meters behind it", async () => {
    await reads(meterId(0), -1, 100);
    await reads(meterId(0, 1), -1, 30);
    expect(await board()).toMatchObject({ load_kw: 130 });
    await service.made(contract.changeMeter, { params: { id: meterId(0) }, body: { asset_type: "poi" } });
    expect(await board()).toMatchObject({ load_kw: 100, meters: 3, load_meters: 2, load_meters_reporting: 1 });
  });

  test("leaves disabled accounts out, and has no load where nothing reads", async () => {
    await service.made(contract.changeAccount, { params: { id: anna.accountId }, body: { disabled: true } });
    expect(await board()).toMatchObject({ accounts: 0, sites: 0, sites_stale: 0, meters: 0, load_kw: null });
  });

  test("counts the alarms that nobody acknowledged", async () => {
    const program = await newProgram(service, [anna]);
    const { id } = await newDispatch(service, program, { start_time: at(10) });
    const [alarm] = await untilAlarms(service, { kind: "telemetry_stale", id }, 1);
    expect((await board()).alarms_open).toBe(1);
    await service.made(contract.acknowledgeAlarm, { params: { id: alarm?.id ?? "" } });
    expect((await board()).alarms_open).toBe(0);
  });

  test("has the limits of each dispatch's program, as its results and its participants' overview do", async () => {
    const status_limits = { amber_from: 0.3, green_from: 0.4, green_to: 2, stale_seconds: 90, least_coverage: 0.8 };
    const dispatchId = await measured({ status_limits });
    const limits = { amber_from: 0.3, green_from: 0.4, green_to: 2 };
    await expect.poll(async () => (await board()).dispatches.active[0]?.delivered_kw).toBe(40);
    expect((await board()).dispatches.active[0]).toMatchObject({ id: dispatchId, status_limits: limits });
    const params = { id: dispatchId };
    const result = await service.made(contract.getAnyDispatchPerformance, { params });
    expect(result.status_limits).toEqual(limits);
    const person = await newBrowser(service, "participant-admin", anna.accountId);
    const { sites, dispatches } = (await person.console(participantConsole.getAccountOverview)).body;
    expect(dispatches[0]?.status_limits).toEqual(limits);
    expect(sites[0]?.dispatch).toMatchObject({ id: dispatchId });
    const upcoming = await newDispatch(service, await newProgram(service, [anna]), { start_time: at(11) });
    const [next] = (await board()).dispatches.upcoming;
    const defaults = { amber_from: 0.75, green_from: 0.95, green_to: 1.2 };
    expect(next).toMatchObject({ id: upcoming.id, status_limits: defaults });
  });

  test("names at most 50 dispatches that are yet to come", async () => {
    const programId = await newProgram(service, [anna]);
    for (let index = 0; index < 51; index++) await newDispatch(service, programId, { start_time: at(100 - index) });
    const { upcoming } = (await board()).dispatches;
    expect(upcoming).toHaveLength(50);
    expect([upcoming[0]?.start_time, upcoming[49]?.start_time]).toEqual([at(50), at(99)]);
  });
});
