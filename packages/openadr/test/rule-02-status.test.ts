import { describe, expect, test } from "vitest";
import type { Dispatch } from "../src/dispatch.js";
import { aDispatch, at, listed } from "./support/examples.js";

const statusAt = (now: Date, dispatch: Dispatch): string | undefined => listed(now, dispatch)[0]?.descriptor.status;
const periodOf = (changes: Partial<Dispatch>) => listed(at("17:00:00"), aDispatch(changes))[0]?.activePeriod;
const intervalOf = (changes: Partial<Dispatch>) => listed(at("17:00:00"), aDispatch(changes))[0]?.signals[0]?.intervals;

describe("rule 2: the clock alone makes the status", () => {
  test.each([
    ["17:49:59.999", "far"],
    ["17:50:00", "near"],
    ["17:59:59.999", "near"],
    ["18:00:00", "active"],
    ["19:29:59.999", "active"],
    ["19:30:00", "completed"],
  ])("at %s it is %s", (time, status) => {
    expect(statusAt(at(time), aDispatch())).toBe(status);
  });

  test("without a ramp-up an event is far until it is active", () => {
    const dispatch = aDispatch({ rampUpSeconds: 0 });
    expect(statusAt(at("17:59:59.999"), dispatch)).toBe("far");
    expect(statusAt(at("18:00:00"), dispatch)).toBe("active");
  });

  test("an open-ended event is active for ever", () => {
    expect(statusAt(new Date("2027-06-01T00:00:00Z"), aDispatch({ end: null }))).toBe("active");
  });
});

describe("rule 2: durations", () => {
  test("an open end is a duration of 0, in the interval too", () => {
    expect(periodOf({ end: null })?.durationSeconds).toBe(0);
    expect(intervalOf({ end: null })).toEqual([{ durationSeconds: 0, uid: "0", level: 2 }]);
  });

  test.each([
    ["18:00:00", "18:00:00.001", 1],
    ["18:00:00", "18:00:01", 1],
    ["18:00:00", "18:00:01.001", 2],
    ["18:00:00.900", "18:00:00.950", 1],
    ["18:00:00.900", "18:00:01.100", 2],
  ])("from %s to %s it is %d s: rounded up, and covering the whole dispatch", (start, end, seconds) => {
    expect(periodOf({ start: at(start), end: at(end) })).toMatchObject({
      start: at("18:00:00"),
      durationSeconds: seconds,
    });
  });

  test("a dispatch of no length still has a duration, which never reads as endless", () => {
    expect(periodOf({ end: at("18:00:00") })?.durationSeconds).toBe(1);
  });

  test("the status follows the period that is sent to the VEN", () => {
    const dispatch = aDispatch({ end: at("19:29:59.500") });
    expect(statusAt(at("19:29:59.999"), dispatch)).toBe("active");
    expect(statusAt(at("19:30:00"), dispatch)).toBe("completed");
  });

  test("x-eiNotification is start minus notification time, 0 when notified later", () => {
    expect(periodOf({})?.notificationSeconds).toBe(6 * 3600);
    expect(periodOf({ start: at("11:00:00") })?.notificationSeconds).toBe(0);
  });

  test("ramp-up and recovery are the program's", () => {
    expect(periodOf({ recoverySeconds: 90 })).toMatchObject({ rampUpSeconds: 600, recoverySeconds: 90 });
  });
});
