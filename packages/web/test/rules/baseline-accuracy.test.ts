import { expect, test } from "vitest";
import { TRIED_PRESETS, triedMethods } from "../../src/rules/baseline-accuracy.js";

const method = {
  interval_seconds: 3600,
  intervals: 20,
  mean_actual_kw: 400,
  bias_kw: 0,
  rmse_kw: 0,
  left_out: [],
  days_tried: ["2026-06-09", "2026-06-08"],
};

test("methods are ranked by their error; those that could not be tried come last", () => {
  const left_out = [{ date: "2026-06-08", reason: "no baseline" }];
  const tried = triedMethods([
    { ...method, preset: "meter_before", relative_rmse: null, relative_bias: null, days_tried: [], left_out },
    { ...method, preset: null, relative_rmse: 0.12, relative_bias: -0.04 },
    { ...method, preset: "ten_of_ten", relative_rmse: 0.07, relative_bias: 0.02, left_out },
  ]);
  expect(tried.map(({ name, error, bias, days }) => [name, error, bias, days])).toEqual([
    ["10 of 10 (CAISO-style)", "7%", "+2%", "2 days, 1 left out"],
    ["As set now", "12%", "−4%", "2 days"],
    ["Meter before: the 15 minutes before notification", "–", "–", "0 days, 1 left out"],
  ]);
});

test("no more presets are tried than one request may name", () => {
  expect(TRIED_PRESETS.length).toBeLessThanOrEqual(10);
});
