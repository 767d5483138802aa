import { getSitePerformance, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { openStream } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  type MeasuredProgram,
  meanOfDays,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
  untilLooked,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { type Running, running } from "../../support/running.js";

// Days that an operator excludes by hand (M15).
let service: Running;

beforeAll(async () => {
  service = await running();
});

const [START, END] = ["2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z"] as const;
const at = (time: string): void => service.clock.set(new Date(time));

/** 100 kW, but 400 on the 9th, and 60 in the dispatch. */
const kwAt = (endMs: number): number => {
  const day = new Date(endMs - 1).toISOString().slice(0, 10);
  if (day === "2026-06-09") return 400;
  return endMs > Date.parse(START) && endMs <= Date.parse(END) ? 60 : 100;
};

/** The mean of the three days before the dispatch is 200 kW. */
const site = async (program: MeasuredProgram = {}) => {
  at("2026-06-10T20:03:00Z");
  const participant = await service.newParticipant();
  const { meterId, siteId } = firstOf(participant);
  await uploadIntervals(
    participant,
    meterId,
    intervalsBetween(["2026-06-04T00:00:00Z", "2026-06-10T20:00:00Z"], 300, kwAt),
  );
  const settings = { baseline: meanOfDays(3), commitment: 40, ...program };
  const programId = await measuredProgram(service, [participant], settings);
  return { participant, siteId, programId };
};

/** The same with a dispatch whose result is final. */
const finished = async (program?: MeasuredProgram) => {
  const made = await site(program);
  const id = await dispatchBetween(service, made.programId, [START, END]);
  await untilVersions(service, id, 1);
  return { ...made, id };
};

const exclude = (id: string, date = "2026-06-09", reason = "the chiller was being repaired") =>
  service.operator(operator.excludeDay, { params: { id, date }, body: { reason } });
const include = (id: string, date = "2026-06-09") => service.operator(operator.includeDay, { params: { id, date } });
const meanOf = async (id: string): Promise<number> => (await performanceOf(service, id)).sites[0].mean_reduction_kw;

describe("excluding a day of a site", () => {
  test("makes a new version of a final result, with who and why: 140 kW before, 40 after", async () => {
    const { id, siteId, participant } = await finished();
    expect(await meanOf(id)).toBe(140);
    expect((await exclude(siteId)).status).toBe(200);
    await untilVersions(service, id, 2);
    const { versions, sites } = await performanceOf(service, id);
    expect(sites[0].mean_reduction_kw).toBe(40);
    expect(versions[1]).toMatchObject({
      version: 2,
      reason: "excluded_days",
      by: "operator",
      note: "2026-06-09 excluded: the chiller was being repaired",
    });
    const { explanation } = await sitePerformanceOf(service, id, siteId);
    expect(explanation.dropped).toStrictEqual([
      {
        date: "2026-06-09",
        reason: "excluded",
        why: "excluded by hand: the chiller was being repaired",
        dispatches: [],
      },
    ]);
    const own = await participant.call(getSitePerformance, { params: { id, site_id: siteId } });
    expect(own.body).toMatchObject({ version: 2, explanation: { dropped: [{ reason: "excluded" }] } });
  });

  test("is undone by a version of its own, and the first result is kept", async () => {
    const { id, siteId } = await finished();
    await exclude(siteId);
    await untilVersions(service, id, 2);
    expect((await include(siteId)).status).toBe(204);
    await untilVersions(service, id, 3);
    const { versions } = await performanceOf(service, id);
    expect(versions[2]).toMatchObject({ reason: "excluded_days", by: "operator", note: "2026-06-09 counts again" });
    expect(await meanOf(id)).toBe(140);
  });

  test("changes a live result within seconds, and its stream", async () => {
    const { siteId, programId } = await site();
    at("2026-06-10T18:30:00Z");
    const id = await dispatchBetween(service, programId, [START, END]);
    const stream = await openStream(service.url, `/dispatches/${id}/performance/stream`);
    expect((await stream.next())?.data).toMatchObject({ sites: [{ mean_reduction_kw: 140 }] });
    await exclude(siteId);
    await untilLooked(service, async () => (await meanOf(id)) === 40);
    expect((await stream.next())?.data).toMatchObject({ sites: [{ mean_reduction_kw: 40 }] });
    stream.close();
  });

  test("changes the baseline of a dispatch that is still to come, in a process that followed it before", async () => {
    const { siteId, programId } = await site();
    const times = ["2026-06-10T22:00:00Z", "2026-06-10T23:00:00Z"] as const;
    const id = await dispatchBetween(service, programId, times);
    const chosen = async (): Promise<string[]> => (await sitePerformanceOf(service, id, siteId)).explanation.chosen;
    expect(await chosen()).toContain("2026-06-09");
    await exclude(siteId);
    await untilLooked(service, async () => !(await chosen()).includes("2026-06-09"));
    expect(await chosen()).toStrictEqual(["2026-06-08", "2026-06-07", "2026-06-06"]);
  });

  test("leaves an approved result as it is, with a version beside it", async () => {
    const { id, siteId } = await finished();
    await service.made(operator.approvePerformance, { params: { id }, body: { version: 1, note: "agreed" } });
    await exclude(siteId);
    await untilVersions(service, id, 3);
    const { version, versions } = await performanceOf(service, id);
    expect([version, versions[2].standing, await meanOf(id)]).toEqual([2, "beside", 140]);
  });

  test("makes no version where no baseline looks back on the day, or on another site", async () => {
    const { id, siteId } = await finished({ baseline: { method: { kind: "flat", kw: 200 } } });
    const other = await finished();
    await exclude(siteId);
    await exclude(other.siteId);
    await untilVersions(service, other.id, 2);
    expect((await performanceOf(service, id)).versions).toHaveLength(1);
  });

  test("twice is once, with another reason instead of the first", async () => {
    const { siteId } = await site();
    const first = (await exclude(siteId)).body;
    service.clock.advance({ seconds: 60 });
    expect((await exclude(siteId)).body).toStrictEqual(first);
    await exclude(siteId, "2026-06-09", "a power failure");
    const { items } = await service.made(operator.listExcludedDays, { params: { id: siteId } });
    expect(items).toMatchObject([{ date: "2026-06-09", reason: "a power failure", by: "operator" }]);
  });

  test("needs a day of the calendar, a reason and a site", async () => {
    const { siteId } = await site();
    for (const date of ["2026-02-30", "yesterday", "2026-6-9", "%00", "20260-06-09"])
      expectError(await exclude(siteId, date), 400, /is not a day of the calendar; give it as YYYY-MM-DD/);
    expectError(await exclude(siteId, "2026-06-09", " "), 400, /reason is blank/);
    expectError(await exclude("site_0"), 404, /No such site/);
    expectError(await include(siteId), 404, /No such excluded day/);
    expectError(await service.operator(operator.listExcludedDays, { params: { id: "site_0" } }), 404, /No such site/);
  });

  test("takes it from the days on which methods are tried", async () => {
    const { siteId, programId } = await site();
    const tried = () =>
      service.made(operator.getBaselineAccuracy, {
        params: { id: siteId },
        query: { program_id: programId, day_type: "weekday", start: "18:00", minutes: 60, days: 2 },
      });
    const before = await tried();
    await exclude(siteId);
    expect(await tried()).not.toStrictEqual(before);
  });
});
