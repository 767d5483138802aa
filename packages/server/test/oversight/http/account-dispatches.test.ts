import { getDispatch, operator, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newDispatch } from "../../support/dispatching.js";
import { enableDisplay } from "../../support/display.js";
import {
  dispatchBetween,
  intervalsBetween,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

const START = "2026-06-10T18:00:00Z";
const at = (minutes: number): string =>
  new Date(Date.parse(START) + minutes * 60_000).toISOString().replace(".000", "");

let service: Running;
let anna: Participant;
let viewer: Browser;

beforeAll(async () => {
  service = await running();
});

const siteId = (site: number): string => anna.sites[site]?.id ?? "";
const reads = (site: number, between: readonly [number, number], kw: number) =>
  uploadIntervals(
    anna,
    anna.sites[site]?.meters[0] ?? "",
    intervalsBetween([at(between[0]), at(between[1])], 30, () => kw),
  );

/** Two sites in a dispatch of an hour, one of them 60 kW below its baseline, the other without readings. */
const scene = async (): Promise<{ readonly programId: string; readonly id: string }> => {
  service.clock.set(new Date(START));
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  await enableDisplay(service, anna);
  viewer = await newBrowser(service, "participant-viewer", anna.accountId);
  await reads(0, [-60, 0], 200);
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  const programId = await measuredProgram(service, [anna], { baseline, commitment: 40 });
  return { programId, id: await dispatchBetween(service, programId, [START, at(60)]) };
};

const current = async () => (await viewer.console(participantConsole.getAccountOverview)).body.dispatches;
const isReached = async () => (await current())[0]?.reached;
const curve = (id: string) => viewer.console(participantConsole.getAccountCurve, { params: { id } });
const past = async (query: Record<string, string> = {}) =>
  (await viewer.console(participantConsole.listPastDispatches, { query })).body.items;

describe("dispatches of an account", () => {
  let programId: string;
  let id: string;

  beforeEach(async () => {
    ({ programId, id } = await scene());
  });

  test("that concern it now are those in progress, then upcoming ones, then cancelled ones until their end", async () => {
    service.clock.set(new Date(at(10)));
    await reads(0, [0, 10], 140);
    const sites = [{ site_id: siteId(1), commitment: 15 }];
    const later = await newDispatch(service, programId, { start_time: at(90), end_time: at(120), sites });
    const off = await newDispatch(service, programId, { start_time: at(30), end_time: at(40), sites });
    await service.made(operator.changeDispatch, { params: { id: off.id }, body: { authorized: false } });
    await curve(id);
    expect(await current()).toMatchObject([
      {
        id,
        state: "in_progress",
        reached: false,
        sites: [
          { site_id: siteId(0), commitment_kw: 40, delivered_kw: 60 },
          { site_id: siteId(1), commitment_kw: 40, delivered_kw: null },
        ],
      },
      { id: later.id, state: "upcoming", sites: [{ commitment_kw: 15, delivered_kw: null }] },
      { id: off.id, state: "cancelled" },
    ]);
    service.clock.set(new Date(at(41)));
    expect((await current()).map((each) => each.id)).toEqual([id, later.id]);
  });

  test("are reached once the account's system read the latest change", async () => {
    expect([await isReached(), await isReached()]).toEqual([false, false]);
    await anna.call(getDispatch, { params: { id } });
    expect(await isReached()).toBe(true);
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: at(70) } });
    expect(await isReached()).toBe(false);
  });

  test("have one curve of all visible sites, with how many of them are in it", async () => {
    service.clock.set(new Date(at(10)));
    await reads(0, [0, 10], 140);
    const shown = (await curve(id)).body;
    const inside = shown.curve.find(({ timestamp }) => timestamp === at(5));
    expect(shown).toMatchObject({ dispatch_id: id, sites: 2, hidden_sites: 0 });
    expect(inside).toMatchObject({ sites: 1, baseline_kw: 200, load_kw: 140, reduction_kw: 60, target_kw: 160 });
    await service.made(operator.changeSite, { params: { id: siteId(0) }, body: { display_enabled: false } });
    const hidden = (await curve(id)).body;
    expect(hidden).toMatchObject({ sites: 1, hidden_sites: 1 });
    expect(JSON.stringify(hidden)).not.toContain("140");
    expect((await current())[0]?.sites[0]).toMatchObject({ commitment_kw: 40, delivered_kw: null });
    const bert = await service.newParticipant();
    const other = await newBrowser(service, "participant-viewer", bert.accountId);
    expect((await other.console(participantConsole.getAccountCurve, { params: { id } })).status).toBe(404);
  });

  test("that are over are listed with their final result, by their period, program and site", async () => {
    service.clock.set(new Date(at(61)));
    await reads(0, [0, 60], 150);
    expect(await past()).toMatchObject([{ id, result: { outcome: "not_final", version: null }, statement: null }]);
    service.clock.set(new Date(at(125)));
    await reads(0, [60, 125], 200);
    service.clock.set(new Date(at(20 * 60)));
    await untilVersions(service, id, 1);
    viewer = await newBrowser(service, "participant-viewer", anna.accountId);
    const result = { outcome: "measured", version: 1, approved: false, sites: 2, measured_sites: 1 };
    const figures = { mean_reduction_kw: 50, performance: 1.25, delivered_energy_kwh: 50 };
    expect((await past())[0]?.result).toMatchObject({ ...result, ...figures });
    const count = async (query: Record<string, string>) => (await past(query)).length;
    expect(await count({ start_time: START, end_time: at(1) })).toBe(1);
    expect(await count({ start_time: at(1) })).toBe(0);
    expect(await count({ end_time: START })).toBe(0);
    expect(await count({ program_id: programId, site_id: siteId(1) })).toBe(1);
    expect(await count({ site_id: "site_none" })).toBe(0);
    await service.made(operator.changeSite, { params: { id: siteId(0) }, body: { display_enabled: false } });
    expect((await past())[0]?.result).toMatchObject({ sites: 1, measured_sites: 0, mean_reduction_kw: null });
  });

  test("that are past have the limits of their statuses: those of the program when they were issued", async () => {
    const own = { amber_from: 0.5, green_from: 0.7, green_to: 1.5 };
    const status_limits = { ...own, stale_seconds: 120, least_coverage: 0.8 };
    await service.made(operator.changeProgram, { params: { id: programId }, body: { status_limits } });
    const limited = await dispatchBetween(service, programId, [at(70), at(80)]);
    await service.made(operator.changeProgram, { params: { id: programId }, body: { status_limits: null } });
    service.clock.set(new Date(at(300)));
    viewer = await newBrowser(service, "participant-viewer", anna.accountId);
    const limits = (await past()).map((each) => [each.id, each.result.status_limits]);
    expect(limits).toEqual([
      [limited, own],
      [id, { amber_from: 0.75, green_from: 0.95, green_to: 1.2 }],
    ]);
  });
});
