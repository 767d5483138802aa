import { listDispatches, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, measuredProgram } from "../../support/measuring.js";
import { firstOf, series, upload } from "../../support/metering.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

const NOW = "2026-06-10T18:00:00Z";
const at = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString().replace(".000", "");

let service: Running;
let anna: Participant;
let ben: Participant;
let cara: Participant;
let dora: Participant;

const short = () => service.made(operator.listShortSites);
const siteOf = ({ sites }: Participant) => sites[0]?.id;

/** Readings of every five minutes, the last one at a time. */
const reads = (participant: Participant, last: string, count: number, kw: number) =>
  upload(
    participant,
    series(firstOf(participant).meterId, new Date(Date.parse(last) - (count - 1) * 300_000).toISOString(), count).map(
      (each) => ({ ...each, kW: kw }),
    ),
  );

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date(NOW));
  [anna, ben, cara, dora] = [
    await service.newParticipant({ name: "Anna" }),
    await service.newParticipant({ name: "Ben" }),
    await service.newParticipant({ name: "Cara" }),
    await service.newParticipant({ name: "Dora" }),
  ];
  for (const each of [anna, ben, cara, dora]) await reads(each, at(0), 12, 100);
});

describe("the sites that are short now", () => {
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };

  test("are none without a dispatch in progress", async () => {
    expect(await short()).toEqual({ as_of: NOW, dispatches: [], sites: [] });
  });

  test("are those that deliver less, have no readings, or were not notified and lack kW", async () => {
    const programId = await measuredProgram(service, [anna, ben, cara, dora], { baseline, commitment: 40 });
    const id = await dispatchBetween(service, programId, [NOW, at(60)]);
    for (const each of [anna, ben, cara]) await each.call(listDispatches);
    service.clock.set(new Date(at(10)));
    await reads(anna, at(10), 2, 60);
    await reads(ben, at(10), 2, 95);
    await reads(dora, at(10), 2, 70);
    const states = async () => (await short()).sites.map(({ site_id, state }) => [site_id, state]);
    await expect.poll(states).toEqual([
      [siteOf(cara), "no_readings"],
      [siteOf(ben), "well_below"],
      [siteOf(dora), "not_notified"],
    ]);
    const { dispatches, sites } = await short();
    expect(sites.map(({ dispatch_id, short_kw, delivered_kw }) => [dispatch_id, short_kw, delivered_kw])).toEqual([
      [id, 40, null],
      [id, 35, 5],
      [id, 10, 30],
    ]);
    // What Anna delivers beyond nothing is known; of Cara nothing is.
    expect(dispatches).toMatchObject([
      { id, sites: 4, sites_measured: 3, short_sites: 3, short_kw: 85, ramp_until: null, end_time: at(60) },
    ]);
  });

  test("are none of a dispatch whose ramp-up time is not over", async () => {
    service.clock.set(new Date(at(90)));
    for (const each of [anna, ben, cara, dora]) await reads(each, at(90), 12, 100);
    const openadr = { level: 1 as const, ramp_up_seconds: 900 };
    const programId = await measuredProgram(service, [ben], { baseline, commitment: 40, openadr });
    const id = await dispatchBetween(service, programId, [at(90), at(150)]);
    service.clock.set(new Date(at(100)));
    await reads(ben, at(100), 2, 95);
    await expect.poll(async () => (await short()).dispatches).toMatchObject([{ id, sites_measured: 1, short_kw: 35 }]);
    expect(await short()).toMatchObject({ dispatches: [{ short_sites: 0, ramp_until: at(105) }], sites: [] });
    service.clock.set(new Date(at(106)));
    await reads(ben, at(105), 1, 95);
    await expect.poll(async () => (await short()).sites).toMatchObject([{ site_id: siteOf(ben), dispatch_id: id }]);
  });

  test("are read by auditors, and are not there for a participant's people", async () => {
    const auditor = await newBrowser(service, "auditor");
    expect((await auditor.operator(operator.listShortSites)).status).toBe(200);
    const person = await newBrowser(service, "participant-admin", anna.accountId);
    expectError(await person.operator(operator.listShortSites), 404, /for the role participant-admin/);
  });
});
