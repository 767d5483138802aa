import { getPerformanceDifference, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { newPeopledAccount } from "../../support/console-calls.js";
import { expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Two versions of a result, side by side.
let service: Running;

beforeAll(async () => {
  service = await running();
});

const [START, END] = ["2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z"] as const;

const kwAt = (endMs: number): number => (endMs > Date.parse(START) && endMs <= Date.parse(END) ? 60 : 100);

const load = (participant: Participant, site: number, [from, to]: readonly [string, string], kw = kwAt) =>
  uploadIntervals(participant, participant.sites[site]?.meters[0] ?? "", intervalsBetween([from, to], 300, kw));

/** Two sites with a final result of 40 kW each. */
const finished = async () => {
  service.clock.set(new Date("2026-06-10T20:03:00Z"));
  const participant = await service.newParticipant({ sites: [["main"], ["main"]] });
  for (const site of [0, 1]) await load(participant, site, ["2026-06-04T00:00:00Z", "2026-06-10T20:00:00Z"]);
  const programId = await measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 40 });
  const id = await dispatchBetween(service, programId, [START, END]);
  await untilVersions(service, id, 1);
  const [first = "", second = ""] = participant.sites.map((site) => site.id);
  return { id, participant, first, second };
};

const askedFor = (id: string, query = {}) =>
  service.operator(operator.getAnyPerformanceDifference, { params: { id }, query });

const difference = (id: string, query: { readonly from?: number; readonly to?: number } = {}) =>
  service.made(operator.getAnyPerformanceDifference, { params: { id }, query });

describe("the difference of two versions", () => {
  test("has the figures before and after, and the load that was corrected", async () => {
    const { id, participant, first } = await finished();
    await load(participant, 0, [START, "2026-06-10T18:30:00Z"], () => 80);
    await untilVersions(service, id, 2);
    const { from, to, totals_before, totals_after, sites } = await difference(id);
    expect([from.version, to.version, to.reason]).toEqual([1, 2, "corrected"]);
    expect([totals_before.delivered_energy_kwh, totals_after.delivered_energy_kwh]).toEqual([80, 70]);
    expect(sites).toMatchObject([
      {
        site_id: first,
        before: { mean_reduction_kw: 40, performance: 1 },
        after: { mean_reduction_kw: 30, performance: 0.75 },
        inputs: { load: { added: 0, removed: 0, changed: 60, energy_kwh: 10 }, dates: [], meters_added: [] },
      },
    ]);
    expect(sites[0]?.changed).toEqual(expect.arrayContaining(["mean_reduction_kw", "performance", "status"]));
    expect(sites[0]?.changed).not.toContain("commitment_kw");
  });

  test("names the days that are used in another way, and those whose load was corrected", async () => {
    const { id, participant, first, second } = await finished();
    const exclusion = { params: { id: first, date: "2026-06-09" }, body: { reason: "a repair" } };
    await service.made(operator.excludeDay, exclusion);
    await load(participant, 1, ["2026-06-08T18:00:00Z", "2026-06-08T19:00:00Z"], () => 130);
    await untilVersions(service, id, 2);
    const { sites } = await difference(id);
    const of = { event_date: "2026-06-10" };
    expect(sites.map(({ site_id, inputs }) => [site_id, inputs?.dates])).toEqual([
      [
        first,
        [
          { ...of, date: "2026-06-06", before: null, after: "chosen", corrected: false },
          { ...of, date: "2026-06-09", before: "chosen", after: "excluded", corrected: false },
        ],
      ],
      [second, [{ ...of, date: "2026-06-08", before: "chosen", after: "chosen", corrected: true }]],
    ]);
    expect(sites[1]).toMatchObject({ before: { mean_reduction_kw: 40 }, after: { mean_reduction_kw: 50 } });
    // The first's figures are the same: only its days differ.
    expect(sites[0]?.changed).toEqual([]);
  });

  test("is that of any two versions, in either order; an approval changes nothing", async () => {
    const { id, participant } = await finished();
    await load(participant, 0, [START, END], () => 70);
    await untilVersions(service, id, 2);
    await service.made(operator.approvePerformance, { params: { id }, body: { version: 2, note: "agreed" } });
    expect((await difference(id)).sites).toEqual([]);
    const means = ({ sites: [site] }: Awaited<ReturnType<typeof difference>>) => [
      site?.before?.mean_reduction_kw,
      site?.after?.mean_reduction_kw,
    ];
    expect(means(await difference(id, { from: 1 }))).toEqual([40, 30]);
    expect(means(await difference(id, { from: 3, to: 1 }))).toEqual([30, 40]);
  });

  test("to the withdrawal of a voided dispatch has no results after it", async () => {
    const { id } = await finished();
    const body = { authorized: false, void_reason: "called by mistake" };
    await service.made(operator.changeDispatch, { params: { id }, body });
    const { to, totals_after, sites } = await difference(id);
    expect([to.reason, totals_after.sites, sites.length]).toEqual(["withdrawn", 0, 2]);
    expect(sites.every(({ before, after, inputs }) => before !== null && after === null && inputs === null)).toBe(true);
  });

  test("needs two versions of a dispatch that exists", async () => {
    const { id } = await finished();
    expectError(await askedFor(id), 404, /No such version/);
    expectError(await askedFor(id, { from: 1, to: 7 }), 404, /No such version/);
    expectError(await askedFor("dis_0"), 404);
    expectError(await askedFor(id, { from: 0 }), 400, /from/);
  });
});

describe("participants see the difference", () => {
  test("of their own sites, with their own totals, and not who made a version", async () => {
    service.clock.set(new Date("2026-06-10T20:03:00Z"));
    const [anna, bert] = [await service.newParticipant(), await service.newParticipant()];
    for (const each of [anna, bert]) await load(each, 0, ["2026-06-04T00:00:00Z", "2026-06-10T20:00:00Z"]);
    const programId = await measuredProgram(service, [anna, bert], { baseline: meanOfDays(3), commitment: 40 });
    const id = await dispatchBetween(service, programId, [START, END]);
    await untilVersions(service, id, 1);
    for (const each of [anna, bert]) await load(each, 0, [START, END], () => 70);
    await untilVersions(service, id, 2);
    const { body } = await anna.call(getPerformanceDifference, { params: { id } });
    expect(body.sites).toMatchObject([{ site_id: anna.sites[0]?.id, after: { mean_reduction_kw: 30 } }]);
    expect(body.totals_before.sites).toBe(1);
    const stranger = await service.newParticipant();
    expectError(await stranger.call(getPerformanceDifference, { params: { id } }), 404, /No such dispatch/);
  });

  test("on the console only of sites whose data is visible", async () => {
    service.clock.set(new Date("2026-06-10T20:03:00Z"));
    const { participant, viewer } = await newPeopledAccount(service, "Anna's works", "main");
    await load(participant, 0, ["2026-06-04T00:00:00Z", "2026-06-10T20:00:00Z"]);
    const programId = await measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 40 });
    const id = await dispatchBetween(service, programId, [START, END]);
    await untilVersions(service, id, 1);
    await load(participant, 0, [START, END], () => 70);
    await untilVersions(service, id, 2);
    const asked = async () => {
      const headers = { cookie: `curtail_session=${viewer.token}` };
      const url = `${service.url}/console/v1/dispatches/${id}/performance/difference`;
      return (await (await fetch(url, { headers })).json()) as { sites: unknown[]; totals_after: { sites: number } };
    };
    expect((await asked()).sites).toHaveLength(1);
    const hidden = { params: { id: participant.sites[0]?.id ?? "" }, body: { display_enabled: false } };
    await service.made(operator.changeSite, hidden);
    expect(await asked()).toMatchObject({ sites: [], totals_after: { sites: 0 } });
  });
});
