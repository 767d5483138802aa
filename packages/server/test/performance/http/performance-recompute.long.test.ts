import { join } from "node:path";
import { presets } from "@curtail/measure";
import { beforeAll, describe, expect, test } from "vitest";
import { readBuilding } from "../../support/building.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { recompute } from "../../support/recompute.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Everybody can compute a result again from the participants' interface: the script of docs/recompute.md does.
let service: Running;

beforeAll(async () => {
  service = await running();
});

const same = { differing_cells: 0, differing: [] };

interface Made {
  readonly timezone: string;
  readonly period: readonly [from: string, to: string];
  readonly dispatch: readonly [start: string, end: string];
  readonly kwAt: (endMs: number) => number;
  /** Left out of the upload. */
  readonly gap?: readonly [from: string, to: string];
}

const isIn = (endMs: number, gap: Made["gap"]): boolean =>
  gap !== undefined && endMs > Date.parse(gap[0]) && endMs <= Date.parse(gap[1]);

/** A load that differs from day to day and from hour to hour. */
const wavy = (base: number) => (endMs: number) =>
  base + 40 * Math.sin(endMs / 5_000_000) + 7 * Math.cos(endMs / 86_400_000) + (Math.floor(endMs / 300_000) % 13);

/** Half of a load on some days of the week. */
const halfOn = (days: readonly string[], timeZone: string, kwAt: Made["kwAt"]): Made["kwAt"] => {
  const weekday = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short" });
  return (endMs) => kwAt(endMs) * (days.includes(weekday.format(endMs - 1)) ? 0.5 : 1);
};

const sites: Readonly<Record<string, Made>> = {
  "with gaps": {
    timezone: "UTC",
    period: ["2026-05-01T00:00:00Z", "2026-06-10T21:00:00Z"],
    dispatch: ["2026-06-10T18:00:00Z", "2026-06-10T19:30:00Z"],
    kwAt: wavy(300),
    gap: ["2026-06-04T18:05:00Z", "2026-06-04T18:20:00Z"],
  },
  "over the day the clock goes forward": {
    timezone: "America/New_York",
    period: ["2026-02-01T05:00:00Z", "2026-03-10T20:00:00Z"],
    dispatch: ["2026-03-10T06:10:00Z", "2026-03-10T08:40:00Z"],
    kwAt: wavy(200),
  },
  "over the day the clock goes back, in a zone of half an hour": {
    timezone: "Australia/Adelaide",
    period: ["2026-02-20T13:30:00Z", "2026-04-07T12:00:00Z"],
    dispatch: ["2026-04-07T04:07:00Z", "2026-04-07T06:11:00Z"],
    kwAt: wavy(150),
  },
  "that exports": {
    timezone: "Asia/Kolkata",
    period: ["2026-05-01T00:00:00Z", "2026-06-10T12:00:00Z"],
    dispatch: ["2026-06-10T06:00:00Z", "2026-06-10T08:00:00Z"],
    kwAt: wavy(-120),
  },
  "of a dispatch over midnight": {
    timezone: "Europe/Berlin",
    period: ["2026-05-01T00:00:00Z", "2026-06-11T06:00:00Z"],
    dispatch: ["2026-06-10T20:30:00Z", "2026-06-11T01:30:00Z"],
    kwAt: wavy(80),
  },
  "of a dispatch on Monday at 1:00, after the clock went forward on Sunday": {
    timezone: "America/New_York",
    period: ["2026-01-20T05:00:00Z", "2026-03-09T09:00:00Z"],
    dispatch: ["2026-03-09T05:00:00Z", "2026-03-09T07:00:00Z"],
    kwAt: halfOn(["Sat", "Sun"], "America/New_York", wavy(240)),
  },
  "of a dispatch on Friday to midnight": {
    timezone: "Europe/Berlin",
    period: ["2026-04-20T22:00:00Z", "2026-06-12T23:00:00Z"],
    dispatch: ["2026-06-12T19:30:00Z", "2026-06-12T22:00:00Z"],
    kwAt: halfOn(["Sat", "Sun"], "Europe/Berlin", wavy(180)),
  },
};

const rolling = { method: { ...meanOfDays(10).method, average: { kind: "rolling", alpha: 0.2, seed_days: 4 } } };
const match = {
  method: {
    ...meanOfDays(8).method,
    rules: meanOfDays(8).method.rules.map((rule) => ({
      ...rule,
      pick: { kind: "match", count: 3, window: { anchor: "start", from_minutes_before: 240, to_minutes_before: 60 } },
    })),
  },
};
const baselines = [
  ...presets.map(({ id }) => [id, { preset: id }] as const),
  ["a rolling average", rolling] as const,
  ["the nearest days", match] as const,
  ["an agreed baseline", { method: { kind: "flat", kw: 321.5 } }] as const,
];

describe.each(Object.entries(sites))("a site %s", (_name, { timezone, period, dispatch, kwAt, gap }) => {
  let participant: Participant;

  beforeAll(async () => {
    service.clock.set(new Date(period[1]));
    participant = await service.newParticipant();
    const intervals = intervalsBetween(period, 300, kwAt).filter(({ endMs }) => !isIn(endMs, gap));
    await uploadIntervals(participant, firstOf(participant).meterId, intervals);
  });

  test.each(baselines)("is computed again by %s", async (_baseline, baseline) => {
    service.clock.set(new Date(period[1]));
    const programId = await measuredProgram(service, [participant], { timezone, baseline, commitment: 25 });
    const notification_time = new Date(Date.parse(dispatch[0]) - 7_200_000).toISOString();
    const dispatchId = await dispatchBetween(service, programId, dispatch, { notification_time });
    const { siteId } = firstOf(participant);
    const found = await recompute(service, participant, { dispatchId, siteId });
    expect(found).toMatchObject(same);
    expect(found.cells).toBeGreaterThan(200);
    const isMeasured = JSON.stringify(baseline) !== '{"preset":"firm_service_level"}';
    if (isMeasured) expect(found.mean_reduction_kw).not.toBeNull();
  });
});

describe("M16: an earlier version", () => {
  test("is computed again from what it was computed from, after the readings were corrected", async () => {
    const end = "2026-06-10T20:03:00Z";
    service.clock.set(new Date(end));
    const participant = await service.newParticipant();
    const { meterId, siteId } = firstOf(participant);
    const load = (from: string, to: string, kwAt: (endMs: number) => number) =>
      uploadIntervals(participant, meterId, intervalsBetween([from, to], 300, kwAt));
    await load("2026-06-01T00:00:00Z", "2026-06-10T20:00:00Z", wavy(100));
    const programId = await measuredProgram(service, [participant], { baseline: meanOfDays(5), commitment: 25 });
    const dispatchId = await dispatchBetween(service, programId, ["2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z"]);
    await untilVersions(service, dispatchId, 1);
    await load("2026-06-08T12:00:00Z", "2026-06-08T22:00:00Z", wavy(500));
    await untilVersions(service, dispatchId, 2);
    const [first, second] = [
      await recompute(service, participant, { dispatchId, siteId, version: 1 }),
      await recompute(service, participant, { dispatchId, siteId, version: 2 }),
    ];
    expect([first, second]).toMatchObject([same, same]);
    expect((second.mean_reduction_kw ?? 0) - (first.mean_reduction_kw ?? 0)).toBeCloseTo(400 / 5, 9);
  });
});

const fixtures = process.env["TEST_FIXTURES"];

describe.skipIf(fixtures === undefined)("the recorded building (needs TEST_FIXTURES)", () => {
  test.each(baselines)("is computed again by %s", async (_baseline, baseline) => {
    service.clock.set(new Date("2022-09-01T12:00:00Z"));
    const participant = await buildingParticipant();
    const settings = { timezone: "America/Chicago", holidays: ["2022-07-04"], commitment: 0.5, baseline };
    const programId = await measuredProgram(service, [participant], settings);
    const period = ["2022-08-30T19:00:00Z", "2022-08-30T23:00:00Z"] as const;
    const dispatchId = await dispatchBetween(service, programId, period, { notification_time: "2022-08-30T17:00:00Z" });
    const { siteId } = firstOf(participant);
    expect(await recompute(service, participant, { dispatchId, siteId })).toMatchObject(same);
  });

  let made: Promise<Participant> | null = null;
  const buildingParticipant = (): Promise<Participant> => {
    made ??= (async () => {
      const participant = await service.newParticipant();
      const { intervals } = readBuilding(join(fixtures ?? "", "data", "commercial-building-1min-2022.csv"));
      await uploadIntervals(participant, firstOf(participant).meterId, intervals);
      return participant;
    })();
    return made;
  };
});
