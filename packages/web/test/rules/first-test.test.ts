import { describe, expect, test } from "vitest";
import {
  askSimulatedEveryMs,
  isTestStepDone,
  phaseOf,
  shownAround,
  stepAt,
  testFrom,
  testSteps,
  timeLeft,
} from "../../src/rules/first-test.js";

const now = new Date("2026-07-01T17:00:10Z");
const on = { state: "on" } as const;
const dispatch = (start_time: string, end_time: string | null, authorized = true) => ({
  id: "dis_1",
  start_time: `2026-07-01T${start_time}:00Z`,
  end_time: end_time === null ? null : `2026-07-01T${end_time}:00Z`,
  authorized,
});

describe("a first test", () => {
  test.for([
    ["ready", null],
    ["announced", dispatch("17:01", "17:06")],
    ["ready", dispatch("17:01", "17:06", false)],
    ["running", dispatch("16:58", "17:03")],
    ["running", dispatch("16:58", null)],
    ["ended", dispatch("16:50", "16:55")],
    ["ended", dispatch("16:58", "17:03", false)],
  ] as const)("is %s with %o", ([phase, latest]) => expect(phaseOf(on, latest, now)).toBe(phase));

  test("follows the site before it is on, and while it is removed", () => {
    for (const state of ["off", "preparing", "removing"] as const)
      expect(phaseOf({ state }, dispatch("16:58", "17:03"), now)).toBe(state);
  });

  test("begins on a half minute, at least one minute ahead, and lasts five", () => {
    expect(testFrom(now)).toEqual({ start_time: "2026-07-01T17:01:30Z", end_time: "2026-07-01T17:06:30Z" });
    expect(testFrom(new Date("2026-07-01T17:00:00Z")).start_time).toBe("2026-07-01T17:01:00Z");
  });

  test("says how long it takes, in minutes and seconds", () => {
    expect(timeLeft("2026-07-01T17:01:27Z", now)).toBe("1:17");
    expect(timeLeft("2026-07-01T17:20:10Z", now)).toBe("20:00");
    expect(timeLeft("2026-07-01T16:00:00Z", now)).toBe("0:00");
  });

  test("has one step at a time, and those before it are done", () => {
    expect(stepAt("off")).toBe("zone");
    expect(testSteps.filter((step) => isTestStepDone(step, "ready"))).toEqual(["zone", "site", "notified"]);
    expect(testSteps.filter((step) => isTestStepDone(step, "ended"))).toEqual(testSteps.slice(0, 5));
    expect(testSteps.filter((step) => isTestStepDone(step, "removing"))).toEqual([]);
  });

  test("is asked for closely only while the site changes by itself", () => {
    expect(askSimulatedEveryMs(undefined)).toBe(askSimulatedEveryMs(on));
    expect(askSimulatedEveryMs({ state: "preparing" })).toBeLessThan(askSimulatedEveryMs(on));
  });

  test("shows some minutes around it, and all that follows while it has no end", () => {
    const cells = ["16:52", "16:53", "16:54", "17:06", "17:07", "18:00"].map((at) => ({
      timestamp: `2026-07-01T${at}:00Z`,
    }));
    const shown = (of: ReturnType<typeof dispatch>) =>
      shownAround(cells, of).map(({ timestamp }) => timestamp.slice(11, 16));
    expect(shown(dispatch("16:58", "17:03"))).toEqual(["16:54", "17:06"]);
    expect(shown(dispatch("16:58", null))).toEqual(["16:54", "17:06", "17:07", "18:00"]);
  });
});
