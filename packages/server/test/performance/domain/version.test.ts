import { describe, expect, test } from "vitest";
import {
  type FinalVersion,
  isSettled,
  OWN_VERSION,
  standingOf,
  standingVersion,
} from "../../../src/performance/domain/version.js";

const versions = (...given: ReadonlyArray<Partial<FinalVersion>>): FinalVersion[] =>
  given.map((each, index) => ({
    ...OWN_VERSION,
    rulesVersion: 1,
    version: index + 1,
    at: new Date(0),
    reason: "corrected",
    ...each,
  }));

describe("M15: the version that stands is", () => {
  test("none without a final result", () => {
    expect(standingVersion([])).toBeNull();
    expect(isSettled([])).toBe(false);
  });

  test("the newest while nothing is approved", () => {
    const all = versions({ reason: "complete" }, {});
    expect(standingVersion(all)?.version).toBe(2);
    expect(all.map((each) => standingOf(each, all))).toEqual(["superseded", "standing"]);
    expect(isSettled(all)).toBe(false);
  });

  test("the approved one, and what comes later is beside it", () => {
    const all = versions({ reason: "complete" }, { reason: "approved" }, {}, { reason: "event_days" });
    expect(all.map((each) => standingOf(each, all))).toEqual(["superseded", "standing", "beside", "beside"]);
    expect(isSettled(all)).toBe(true);
  });

  test("the one approved last", () => {
    const all = versions({ reason: "complete" }, { reason: "approved" }, {}, { reason: "approved" });
    expect(standingVersion(all)?.version).toBe(4);
  });

  test("the newest before the cut-off for corrections, or the first if there is none", () => {
    expect(standingVersion(versions({ reason: "complete" }, {}, { isLate: true }))?.version).toBe(2);
    expect(standingVersion(versions({ reason: "overdue", isLate: true }, { isLate: true }))?.version).toBe(1);
  });

  test("an approved one even after the cut-off", () => {
    const all = versions({ reason: "complete" }, { isLate: true }, { reason: "approved", isLate: true });
    expect(standingVersion(all)?.version).toBe(3);
  });

  test("always that of a voided dispatch, which has no results", () => {
    const all = versions({ reason: "complete" }, { reason: "approved" }, { reason: "withdrawn" });
    expect(standingVersion(all)?.reason).toBe("withdrawn");
  });
});
