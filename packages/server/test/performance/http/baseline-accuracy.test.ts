import { createTestDispatch, operator, type QueryOf } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { type ErrorStatus, expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  type MeasuredProgram,
  meanOfDays,
  measuredProgram,
  sitePerformanceOf,
  uploadIntervals,
} from "../../support/measuring.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Methods are tried on days without a dispatch (M17).
let service: Running;

beforeAll(async () => {
  service = await running();
});

/** A Wednesday. */
const NOW = "2026-06-10T20:03:00Z";
const FIRST = "2026-05-20T00:00:00Z";

type Query = QueryOf<typeof operator.getBaselineAccuracy>;

interface Tried {
  readonly participant: Participant;
  readonly siteId: string;
  readonly programId: string;
  readonly load: (kwAt: (endMs: number) => number, from?: string, to?: string, meter?: number) => Promise<void>;
  /** Tries methods from 14:00 to 16:00. */
  readonly tried: (query?: Partial<Query>) => ReturnType<typeof service.made<typeof operator.getBaselineAccuracy>>;
}

const siteOf = async (program: MeasuredProgram, meters: readonly string[] = ["main"]): Promise<Tried> => {
  service.clock.set(new Date(NOW));
  const participant = await service.newParticipant({ sites: [meters] });
  const site = participant.sites[0];
  const siteId = site?.id ?? "";
  const programId = await measuredProgram(service, [participant], program);
  return {
    participant,
    siteId,
    programId,
    load: (kwAt, from = FIRST, to = "2026-06-10T20:00:00Z", meter = 0) =>
      uploadIntervals(participant, site?.meters[meter] ?? "", intervalsBetween([from, to], 300, kwAt)),
    tried: (query = {}) =>
      service.made(operator.getBaselineAccuracy, {
        params: { id: siteId },
        query: { program_id: programId, start: "14:00", minutes: 120, days: 4, ...query },
      }),
  };
};

const dayOf = (endMs: number): number => new Date(endMs - 1).getUTCDate();
const hourOf = (endMs: number): number => new Date(endMs - 1).getUTCHours();

/** Differs from day to day. */
const uneven = (endMs: number): number => 200 + 50 * Math.sin(endMs / 7_000_000);

/** 60 kW less on Monday, from 14:00 to 16:00. */
const curtailed = (endMs: number): number => (dayOf(endMs) === 8 && [14, 15].includes(hourOf(endMs)) ? 40 : 100);

const WEEKDAYS = ["2026-06-09", "2026-06-08", "2026-06-05", "2026-06-04"];

describe("a method is", () => {
  test("without error where the load is the same every day", async () => {
    const { siteId, programId, load, tried } = await siteOf({ baseline: meanOfDays(3) });
    await load((endMs) => 100 + 10 * hourOf(endMs));
    expect(await tried()).toEqual({
      site_id: siteId,
      program_id: programId,
      timezone: "UTC",
      methods: [
        {
          preset: null,
          interval_seconds: 3600,
          days_tried: WEEKDAYS,
          left_out: [],
          intervals: 8,
          mean_actual_kw: 245,
          bias_kw: 0,
          relative_bias: 0,
          rmse_kw: 0,
          relative_rmse: 0,
        },
      ],
    });
  });

  test("biased by the offset of its days", async () => {
    const { load, tried } = await siteOf({ baseline: meanOfDays(3) });
    // Each day takes 10 kW more: the mean of the three days before lacks 20 kW.
    await load((endMs) => 10 * (endMs > Date.parse("2026-06-01T00:00:00Z") ? dayOf(endMs) : 0));
    const days = { days_tried: WEEKDAYS, left_out: [], intervals: 8 };
    const errors = {
      mean_actual_kw: 65,
      bias_kw: -20,
      relative_bias: -0.3076923077,
      rmse_kw: 20,
      relative_rmse: 0.3076923077,
    };
    expect((await tried()).methods).toEqual([{ preset: null, interval_seconds: 3600, ...days, ...errors }]);
  });

  test("unbiased, but in error, where the load differs from day to day", async () => {
    const { load, tried } = await siteOf({ baseline: meanOfDays(2) });
    await load((endMs) => (Math.floor((endMs - 1) / 86_400_000) % 2 === 0 ? 90 : 110));
    expect((await tried()).methods).toMatchObject([
      { mean_actual_kw: 100, bias_kw: 0, relative_bias: 0, rmse_kw: 10, relative_rmse: 0.1 },
    ]);
  });

  test("compared with others in one answer, each in its own intervals or all in the same", async () => {
    const { load, tried } = await siteOf({ baseline: { method: { kind: "flat", kw: 110 } } });
    await load(() => 100, "2026-04-20T00:00:00Z");
    const preset = ["high_4_of_5", "meter_before", "firm_service_level"];
    const { methods } = await tried({ preset });
    expect(methods).toMatchObject([
      { preset: "high_4_of_5", interval_seconds: 3600, intervals: 8, bias_kw: 0, rmse_kw: 0 },
      { preset: "meter_before", interval_seconds: 300, intervals: 96, bias_kw: 0, rmse_kw: 0 },
      { preset: "firm_service_level", intervals: 0, days_tried: [], bias_kw: null, mean_actual_kw: null },
    ]);
    expect(methods[2]?.left_out[0]).toEqual({
      date: "2026-06-09",
      reason: expect.stringContaining("a firm service level without a reference has no baseline"),
    });
    const same = await tried({ preset, interval_seconds: 900 });
    expect(same.methods.map((each) => each.interval_seconds)).toEqual([900, 900, 900]);
    expect((await tried()).methods).toMatchObject([{ preset: null, bias_kw: 10, relative_rmse: 0.1 }]);
  });

  test("that of the enrolment, if it has one", async () => {
    const { siteId, programId, load, tried } = await siteOf({ baseline: { method: { kind: "flat", kw: 110 } } });
    await load(() => 100);
    const body = { commitment: 50, baseline: { method: { kind: "flat", kw: 125 } } };
    await service.made(operator.enrolSite, { params: { id: programId, site_id: siteId }, body });
    expect((await tried()).methods).toMatchObject([{ bias_kw: 25 }]);
    await service.operator(operator.withdrawSite, { params: { id: programId, site_id: siteId } });
    expect((await tried()).methods).toMatchObject([{ bias_kw: 10 }]);
  });

  test("measured as in a dispatch: its bias is the reduction that a dispatch would show", async () => {
    const { siteId, programId, load, tried } = await siteOf({ baseline: { preset: "ten_of_ten" } }, ["main", "annex"]);
    await load(uneven, "2026-05-01T00:00:00Z");
    await load((endMs) => 2 * uneven(endMs + 99_000_000), "2026-05-01T00:00:00Z", "2026-06-10T20:00:00Z", 1);
    const [method] = (await tried({ days: 1 })).methods;
    const id = await dispatchBetween(service, programId, ["2026-06-09T14:00:00Z", "2026-06-09T16:00:00Z"]);
    const { site } = await sitePerformanceOf(service, id, siteId);
    expect(method?.days_tried).toEqual(["2026-06-09"]);
    expect(Math.abs(site.mean_reduction_kw)).toBeGreaterThan(1);
    expect(method?.bias_kw).toBeCloseTo(site.mean_reduction_kw, 9);
  });

  test("given the notification that was asked for", async () => {
    const { load, tried } = await siteOf({});
    await load((endMs) => (hourOf(endMs) < 13 ? 100 : 150));
    const errorWith = async (lead_minutes: number) =>
      (await tried({ preset: ["meter_before"], lead_minutes })).methods[0]?.bias_kw;
    expect(await errorWith(0)).toBe(0);
    expect(await errorWith(60)).toBe(-50);
  });
});

describe("a day is not tried", () => {
  test("with a dispatch, nor used by others, nor as a holiday", async () => {
    const { programId, load, tried } = await siteOf({ baseline: meanOfDays(3), holidays: ["2026-06-05"] });
    await load(curtailed);
    const [before] = (await tried()).methods;
    expect(before?.days_tried).toEqual(["2026-06-09", "2026-06-08", "2026-06-04", "2026-06-03"]);
    expect(before?.bias_kw).toBe((60 - 20) / 4);
    await dispatchBetween(service, programId, ["2026-06-08T14:00:00Z", "2026-06-08T16:00:00Z"]);
    expect((await tried()).methods).toMatchObject([
      { days_tried: ["2026-06-09", "2026-06-04", "2026-06-03", "2026-06-02"], left_out: [], bias_kw: 0, rmse_kw: 0 },
    ]);
  });

  test("with a dispatch of another program, or an operator's test if the program counts them; voided ones do not", async () => {
    const { participant, programId, load, tried } = await siteOf({ baseline: meanOfDays(3) });
    await load(() => 100);
    const other = await measuredProgram(service, [participant], {});
    await dispatchBetween(service, other, ["2026-06-09T02:00:00Z", "2026-06-09T03:00:00Z"]);
    const isTest = { test: true };
    await dispatchBetween(service, programId, ["2026-06-08T02:00:00Z", "2026-06-08T03:00:00Z"], isTest);
    const wrong = await dispatchBetween(service, programId, ["2026-06-05T02:00:00Z", "2026-06-05T03:00:00Z"]);
    const body = { authorized: false, void_reason: "recorded by mistake" } as const;
    await service.made(operator.changeDispatch, { params: { id: wrong }, body });
    const daysTried = async () => (await tried({ days: 2 })).methods[0]?.days_tried;
    expect(await daysTried()).toEqual(["2026-06-05", "2026-06-04"]);
    await service.made(operator.changeProgram, { params: { id: programId }, body: { tests_are_events: false } });
    expect(await daysTried()).toEqual(["2026-06-08", "2026-06-05"]);
  });

  test("unless its dispatch was a participant's own test", async () => {
    const { participant, load, tried } = await siteOf({ baseline: meanOfDays(3) });
    service.clock.set(new Date("2026-06-08T14:00:00Z"));
    const body = { start_time: "2026-06-08T14:30:00Z", end_time: "2026-06-08T14:30:30Z" };
    expect((await participant.call(createTestDispatch, { body })).status).toBe(200);
    service.clock.set(new Date(NOW));
    await load(() => 100);
    expect((await tried()).methods).toMatchObject([{ days_tried: WEEKDAYS, bias_kw: 0 }]);
  });

  test("of another type than asked for", async () => {
    const { load, tried } = await siteOf({ baseline: meanOfDays(3) });
    await load(() => 100);
    const { methods } = await tried({ day_type: "saturday", days: 2 });
    expect(methods).toMatchObject([{ days_tried: ["2026-06-06", "2026-05-30"], bias_kw: 0 }]);
  });

  test("with too few readings, which the answer says", async () => {
    const { load, tried } = await siteOf({ baseline: meanOfDays(1) });
    await load(() => 100, FIRST, "2026-06-09T14:30:00Z");
    const [method] = (await tried()).methods;
    expect(method?.days_tried).toEqual(WEEKDAYS.slice(1));
    expect(method?.left_out).toEqual([
      { date: "2026-06-09", reason: "60 of 240 intervals of 30 seconds have readings; at least 192 are required" },
    ]);
  });

  test("at a site without readings, of which nothing is known", async () => {
    const { tried } = await siteOf({});
    const [method] = (await tried()).methods;
    const unknown = { mean_actual_kw: null, bias_kw: null, relative_bias: null, rmse_kw: null, relative_rmse: null };
    expect(method).toMatchObject({ days_tried: [], intervals: 0, ...unknown });
    expect(method?.left_out.map(({ date }) => date)).toEqual(WEEKDAYS);
    expect(method?.left_out[0]?.reason).toMatch(/^0 of 240 intervals/);
  });
});

test("a meter that is younger than the look-back of a day is left out of that day, as in a dispatch", async () => {
  const { load, tried } = await siteOf({ baseline: meanOfDays(3) }, ["main", "annex"]);
  await load(() => 100);
  await load(() => 30, "2026-06-08T00:00:00Z", "2026-06-10T20:00:00Z", 1);
  expect((await tried()).methods).toMatchObject([
    { days_tried: WEEKDAYS, mean_actual_kw: 100, bias_kw: 0, rmse_kw: 0 },
  ]);
});

describe("a request is refused", () => {
  test.each<[string, Record<string, unknown>, ErrorStatus, RegExp]>([
    ["an unknown preset", { preset: ["ten_of_ten", "best"] }, 400, /^preset is "best"; give one of high_4_of_5, /],
    ["an unknown program", { program_id: "prg_0" }, 404, /No such program/],
    ["no program", { program_id: undefined }, 400, /program_id/],
    ["a start that is no time of day", { start: "24:00" }, 400, /start/],
    ["no length", { minutes: 0 }, 400, /minutes/],
    ["too many days", { days: 31 }, 400, /days/],
    ["a type of day that is excluded", { day_type: "holiday" }, 400, /day_type/],
    ["too many presets", { preset: Array.from({ length: 11 }, () => "ten_of_ten") }, 400, /preset/],
  ])("for %s", async (_what, given, status, message) => {
    const { siteId, programId } = await siteOf({});
    const query = { program_id: programId, start: "14:00", minutes: 60, ...given } as Query;
    expectError(
      await service.operator(operator.getBaselineAccuracy, { params: { id: siteId }, query }),
      status,
      message,
    );
  });

  test("for an unknown site", async () => {
    const { programId } = await siteOf({});
    const query = { program_id: programId, start: "14:00", minutes: 60 };
    const answer = await service.operator(operator.getBaselineAccuracy, { params: { id: "site_0" }, query });
    expectError(answer, 404, /No such site/);
  });
});
