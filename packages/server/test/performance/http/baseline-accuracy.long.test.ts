import { createTestDispatch, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { dayOf, FIRST, hourOf, NOW, prepare, service, siteOf, WEEKDAYS } from "../../support/accuracy-of-baselines.js";
import { dispatchBetween, meanOfDays, measuredProgram } from "../../support/measuring.js";

beforeAll(prepare);

/** 60 kW less on Monday, from 14:00 to 16:00. */
const curtailed = (endMs: number): number => (dayOf(endMs) === 8 && [14, 15].includes(hourOf(endMs)) ? 40 : 100);

describe("a method is", () => {
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
});

test("a meter that is younger than the look-back of a day is left out of that day, as in a dispatch", async () => {
  const { load, tried } = await siteOf({ baseline: meanOfDays(3) }, ["main", "annex"]);
  await load(() => 100);
  await load(() => 30, "2026-06-08T00:00:00Z", "2026-06-10T20:00:00Z", 1);
  expect((await tried()).methods).toMatchObject([
    { days_tried: WEEKDAYS, mean_actual_kw: 100, bias_kw: 0, rmse_kw: 0 },
  ]);
});
