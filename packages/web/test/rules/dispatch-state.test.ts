import { describe, expect, test } from "vitest";
import { awaited, committedKw, stateOf } from "../../src/rules/dispatch-state.js";

const dispatch = (end_time: string | null = "2026-07-01T20:00:00Z", authorized = true) => ({
  authorized,
  start_time: "2026-07-01T18:00:00Z",
  end_time,
});
const at = (time: string) => new Date(`2026-07-01T${time}Z`);

describe("a dispatch", () => {
  test("is in progress from the moment of its start until just before its end", () => {
    expect(stateOf(dispatch(), at("17:59:59"))).toBe("upcoming");
    expect(stateOf(dispatch(), at("18:00:00"))).toBe("in_progress");
    expect(stateOf(dispatch(), at("19:59:59"))).toBe("in_progress");
    expect(stateOf(dispatch(), at("20:00:00"))).toBe("over");
  });

  test("without an end goes on", () => {
    expect(stateOf(dispatch(null), new Date("2027-07-01T18:00:00Z"))).toBe("in_progress");
    expect(awaited(dispatch(null), at("18:00:00"))).toBe("no end set yet");
  });

  test("that was cancelled stays so, and nothing is awaited", () => {
    for (const time of ["17:00:00", "19:00:00", "21:00:00"]) {
      expect(stateOf(dispatch("2026-07-01T20:00:00Z", false), at(time))).toBe("cancelled");
      expect(awaited(dispatch("2026-07-01T20:00:00Z", false), at(time))).toBeNull();
    }
  });

  test("counts down to its start, then to its end", () => {
    expect(awaited(dispatch(), at("17:55:01"))).toBe("starts in 0:04:59");
    expect(awaited(dispatch(), at("18:50:00"))).toBe("ends in 1:10:00");
    expect(awaited(dispatch(), at("20:00:00"))).toBeNull();
  });

  test("has as commitment the sum of those that are known, and none where no site has one", () => {
    expect(committedKw({ sites: [{ commitment: 10 }, { commitment: null }, { commitment: 0 }] })).toBe(10);
    expect(committedKw({ sites: [{ commitment: null }] })).toBeNull();
    expect(committedKw({ sites: [{ commitment: 0 }] })).toBe(0);
  });
});
