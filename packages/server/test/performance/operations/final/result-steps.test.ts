import { type BaselineMethod, baselineOf, presets } from "@curtail/measure";
import { expect, test } from "vitest";
import { resultSteps } from "../../../../src/performance/operations/final/result-steps.js";

const startMs = Date.parse("2026-06-10T18:00:00Z");
const dispatch = { startMs, endMs: startMs + 3_600_000, notificationMs: startMs };
const HOUR = 3600;
const CELL_SECONDS = 300;

const preset = (id: string): BaselineMethod => {
  const found = presets.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no preset ${id}`);
  return found.method;
};

/** The steps of a method over days of 100 kW. */
const stepsOf = (method: BaselineMethod, days: number) => {
  const firstCell = (startMs / 1000 - days * 24 * HOUR) / CELL_SECONDS;
  const load = { intervalSeconds: CELL_SECONDS, firstCell, values: new Float64Array((days + 1) * 24 * 12).fill(100) };
  const request = { load, dispatch, timezone: "UTC", holidays: [], eventDays: [] };
  const found = baselineOf(method, { ...request, curve: { startMs, endMs: dispatch.endMs } });
  const reason = found.state === "none" ? found.reason : null;
  const baseline = { state: found.state, reason, provisional: found.provisional };
  return resultSteps({ method, explanation: found.explanation, baseline });
};

test("the steps of a result are those of its method, in their order", () => {
  expect(stepsOf(preset("middle_8_of_10"), 30)).toEqual(["pool", "choice", "average", "reduction"]);
  const adjusted = preset("ten_of_ten");
  if (adjusted.kind !== "days") throw new Error("not a method of days");
  const all = ["pool", "choice", "average", "adjustment", "no_less_than_zero", "reduction"];
  expect(stepsOf({ ...adjusted, allow_negative: false }, 30)).toEqual(all);
  expect(stepsOf({ kind: "flat", kw: 100 }, 1)).toEqual(["agreed", "reduction"]);
});

test("without a baseline the steps end at the pool; a fallback follows a pool that was too short", () => {
  const method = preset("middle_8_of_10");
  if (method.kind !== "days") throw new Error("not a method of days");
  expect(stepsOf({ ...method, fallback: null }, 1)).toEqual(["pool"]);
  const fallback = { kind: "meter_before", seconds: HOUR, anchor: "start" } as const;
  expect(stepsOf({ ...method, fallback }, 1)).toEqual(["pool", "window", "reduction"]);
});
