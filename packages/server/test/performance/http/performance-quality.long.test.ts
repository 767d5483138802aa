import { getDispatchPerformance, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  performanceOf,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { type Running, running } from "../../support/running.js";

// How a site counts whose readings are missing, or that is new (G64).
let service: Running;

beforeAll(async () => {
  service = await running();
});

const [START, END] = ["2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z"] as const;
type Period = readonly [from: string, to: string];
const HISTORY: Period = ["2026-06-04T00:00:00Z", START];
const DURING: Period = [START, END];

interface Given {
  readonly enrolledAt: string;
  readonly sent: readonly Period[];
  readonly method?: ReturnType<typeof meanOfDays>;
}

/** The final result of a site of 100 kW that was enrolled at a time and sent readings of some periods. */
const resultOf = async ({ enrolledAt, sent, method = meanOfDays(3) }: Given) => {
  service.clock.set(new Date(enrolledAt));
  const participant = await service.newParticipant();
  const programId = await measuredProgram(service, [participant], { baseline: method, commitment: 100 });
  service.clock.set(new Date("2026-06-10T23:30:00Z"));
  for (const period of sent)
    await uploadIntervals(
      participant,
      firstOf(participant).meterId,
      intervalsBetween(period, 30, () => 100),
    );
  const id = await dispatchBetween(service, programId, [START, END]);
  await untilVersions(service, id, 1);
  const { sites, versions } = await performanceOf(service, id);
  expect(versions[0].rules_version).toBe(2);
  return { ...sites[0], id, participant };
};

const LONG_AGO = "2026-05-01T00:00:00Z";
const YESTERDAY = "2026-06-09T12:00:00Z";

describe("a site that has been enrolled for long", () => {
  test("counts as measured with the readings that it needs", async () => {
    const { quality, baseline } = await resultOf({ enrolledAt: LONG_AGO, sent: [HISTORY, DURING] });
    expect(baseline).toBe("found");
    expect(quality).toEqual({
      counts: "as_measured",
      reason: null,
      gap_days: [],
      gap_gain_kw: null,
      decision: null,
      words: [],
    });
  });

  test("counts as not delivered if it is silent in the dispatch, or sends a single reading and nothing before", async () => {
    const silent = await resultOf({ enrolledAt: LONG_AGO, sent: [HISTORY] });
    const single = await resultOf({ enrolledAt: LONG_AGO, sent: [[START, "2026-06-10T18:00:30Z"]] });
    const expected = { counts: "not_delivered", reason: "readings_missing", decision: null };
    expect([silent.quality, single.quality]).toMatchObject([expected, expected]);
    expect(single).toMatchObject({ baseline: "none" });
    expect(single.quality.words[0]).toBe("It counts as not delivered: readings of the site are missing.");
  });

  test("counts as not delivered if days of the look-back are missing, whatever it sends in the dispatch", async () => {
    const { quality } = await resultOf({ enrolledAt: LONG_AGO, sent: [["2026-06-10T17:00:00Z", END]] });
    expect(quality).toMatchObject({ counts: "not_delivered", reason: "readings_missing" });
  });
});

describe("a site that is too new for its method", () => {
  test("is measured by the fallback", async () => {
    const { quality, baseline } = await resultOf({ enrolledAt: YESTERDAY, sent: [["2026-06-10T17:30:00Z", END]] });
    expect(baseline).toBe("found");
    expect(quality).toMatchObject({ counts: "as_measured", reason: null });
  });

  test("is not judged with all readings of the dispatch alone, and counts as not delivered if one is missing", async () => {
    const whole = await resultOf({ enrolledAt: YESTERDAY, sent: [DURING] });
    expect(whole).toMatchObject({ baseline: "none", quality: { counts: "not_judged", reason: "too_new" } });
    const gap = await resultOf({ enrolledAt: YESTERDAY, sent: [["2026-06-10T18:00:30Z", END]] });
    expect(gap).toMatchObject({ quality: { counts: "not_delivered", reason: "readings_missing" } });
  });
});

const decide = (id: string, site_id: string, counts: "not_judged" | null, reason: string) =>
  service.operator(operator.decideSite, { params: { id, site_id }, body: { counts, reason } });

describe("a decision about a site", () => {
  test("is a version with who and why, is taken back by another, and stays when readings come", async () => {
    const { id, site_id, participant } = await resultOf({ enrolledAt: LONG_AGO, sent: [HISTORY] });
    const decided = await decide(id, site_id, "not_judged", "the data link was down");
    expect(decided.body.versions.at(-1)).toMatchObject({ version: 2, reason: "decided", by: "operator" });
    expect(decided.body.versions.at(-1)?.note).toMatch(/ is not judged: the data link was down$/);
    expect((await decide(id, site_id, "not_judged", "the data link was down")).body.versions).toHaveLength(2);
    const shown = (await participant.call(getDispatchPerformance, { params: { id } })).body;
    expect(shown.sites[0]?.quality).toMatchObject({
      counts: "not_judged",
      reason: "decided",
      decision: { counts: "not_judged", reason: "the data link was down", by: "operator" },
    });
    await uploadIntervals(
      participant,
      firstOf(participant).meterId,
      intervalsBetween(DURING, 30, () => 60),
    );
    await untilVersions(service, id, 3);
    const { sites } = await performanceOf(service, id);
    expect(sites[0]).toMatchObject({ mean_reduction_kw: 40, quality: { counts: "not_judged", reason: "decided" } });
    await decide(id, site_id, null, "the readings are there");
    const after = await performanceOf(service, id);
    expect(after.versions.at(-1)).toMatchObject({ version: 4, reason: "decided" });
    expect(after.sites[0].quality).toMatchObject({ counts: "as_measured", reason: null, decision: null });
  });

  test("needs a reason, a final result and a site of the dispatch", async () => {
    const { id, site_id } = await resultOf({ enrolledAt: LONG_AGO, sent: [HISTORY, DURING] });
    expect((await decide(id, site_id, "not_judged", " ")).status).toBe(400);
    expect((await decide(id, "site_none", "not_judged", "why")).status).toBe(404);
    expect((await decide("dis_none", site_id, "not_judged", "why")).status).toBe(404);
  });
});

test("days that were dropped for gaps are named with what they gain", async () => {
  const high = meanOfDays(3);
  const { quality } = await resultOf({
    enrolledAt: LONG_AGO,
    sent: [
      ["2026-06-04T00:00:00Z", "2026-06-08T18:30:00Z"],
      ["2026-06-09T00:00:00Z", "2026-06-09T18:00:00Z"],
      ["2026-06-10T00:00:00Z", END],
    ],
    method: high,
  });
  expect(quality).toMatchObject({ counts: "as_measured", gap_days: ["2026-06-08", "2026-06-09"], gap_gain_kw: 0 });
  expect(quality.words).toEqual([
    "2 days of the look-back were left out since readings of the site are missing; with them, the baseline would be the same.",
  ]);
});

/** Afternoons of 200 and 300 kW in turn, and 250 kW on 11 June. */
const isLow = (ms: number): boolean => new Date(ms).getUTCDate() % 2 === 0;
const kwAt = (endMs: number): number => {
  const start = endMs - 30_000;
  if (start >= Date.parse("2026-06-11T00:00:00Z")) return 250;
  return new Date(start).getUTCHours() < 12 ? 100 : isLow(start) ? 200 : 300;
};
const isLeftOut = (endMs: number): boolean => {
  const start = endMs - 30_000;
  const minutes = (start % 86_400_000) / 60_000;
  return isLow(start) && minutes >= 180 && minutes < 211;
};

test("a site that leaves out readings of the night on its low days has the baseline that it would have with them", async () => {
  service.clock.set(new Date("2026-05-01T00:00:00Z"));
  const participant = await service.newParticipant();
  const program = { baseline: { preset: "middle_8_of_10" }, commitment: 50 } as const;
  const programId = await measuredProgram(service, [participant], program);
  service.clock.set(new Date("2026-06-12T00:00:00Z"));
  const all = intervalsBetween(["2026-05-20T00:00:00Z", "2026-06-11T20:00:00Z"], 30, kwAt);
  const { meterId } = firstOf(participant);
  await uploadIntervals(
    participant,
    meterId,
    all.filter(({ endMs }) => !isLeftOut(endMs)),
  );
  const id = await dispatchBetween(service, programId, ["2026-06-11T16:00:00Z", "2026-06-11T18:00:00Z"]);
  await untilVersions(service, id, 1);
  const { sites } = await performanceOf(service, id);
  expect(sites[0]).toMatchObject({
    performance: 0,
    coverage: 1,
    mean_reduction_kw: 0,
    status: { colour: "red" },
    quality: { counts: "as_measured", gap_days: [] },
  });
});
