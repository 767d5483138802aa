import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { dayOf, hourOf, prepare, type Query, service, siteOf, WEEKDAYS } from "../../support/accuracy-of-baselines.js";
import { type ErrorStatus, expectError } from "../../support/expect-error.js";
import { dispatchBetween, meanOfDays, sitePerformanceOf } from "../../support/measuring.js";

beforeAll(prepare);

/** Differs from day to day. */
const uneven = (endMs: number): number => 200 + 50 * Math.sin(endMs / 7_000_000);

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
  test("at a site without readings, of which nothing is known", async () => {
    const { tried } = await siteOf({});
    const [method] = (await tried()).methods;
    const unknown = { mean_actual_kw: null, bias_kw: null, relative_bias: null, rmse_kw: null, relative_rmse: null };
    expect(method).toMatchObject({ days_tried: [], intervals: 0, ...unknown });
    expect(method?.left_out.map(({ date }) => date)).toEqual(WEEKDAYS);
    expect(method?.left_out[0]?.reason).toMatch(/^0 of 240 intervals/);
  });
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
