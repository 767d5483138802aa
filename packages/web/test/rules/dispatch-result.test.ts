import type { operator } from "@curtail/contract";
import { describe, expect, test } from "vitest";
import {
  comparedResults,
  comparison,
  highestKw,
  pastDays,
  pastQuery,
  reachedWords,
  resultWords,
} from "../../src/rules/dispatch-result.js";

const TODAY = "2026-11-23";

const result = (part: Partial<operator.DispatchResult>) => part as operator.DispatchResult;

describe("the period of past dispatches", () => {
  test("is all time unless the address says otherwise", () => {
    expect(pastDays({}, TODAY)).toEqual({});
    expect(pastDays({ period: "nonsense" }, TODAY)).toEqual({ from: "2026-11-01", to: "2026-11-30" });
  });

  test("counts days back from today, with today", () => {
    expect(pastDays({ period: "7" }, TODAY)).toEqual({ from: "2026-11-17" });
    expect(pastDays({ period: "30" }, "2026-03-01")).toEqual({ from: "2026-01-31" });
  });

  test("of a season is the latest that has begun, as in reports", () => {
    expect(pastDays({ period: "summer" }, TODAY)).toEqual({ from: "2026-06-01", to: "2026-09-30" });
  });

  test("may be open at either end, and is not sent in the wrong order", () => {
    expect(pastDays({ period: "custom", from: "2026-06-10" }, TODAY)).toEqual({ from: "2026-06-10" });
    expect(pastDays({ period: "custom", to: "2026-06-10" }, TODAY)).toEqual({ to: "2026-06-10" });
    expect(pastDays({ period: "custom", from: "2026-06-11", to: "2026-06-10" }, TODAY)).toEqual({});
  });

  test("becomes a query with the other choices of the address, and nothing that is unknown", () => {
    expect(pastQuery({ program: "p", account: "a", site: "s", tests: "only", order: "oldest" }, TODAY)).toEqual({
      program_id: "p",
      account_id: "a",
      site_id: "s",
      tests: "only",
      order: "oldest",
    });
    expect(pastQuery({ tests: "some", order: "sideways" }, TODAY)).toEqual({});
  });
});

describe("a past dispatch in words", () => {
  test("names the state and the version that stands", () => {
    expect(resultWords({ state: "pending", version: null })).toBe("Not final yet");
    expect(resultWords({ state: "final", version: 2 })).toBe("Final, version 2");
    expect(resultWords({ state: "approved", version: 3 })).toBe("Approved, version 3");
    expect(resultWords({ state: "voided", version: 2 })).toBe("Voided");
  });

  test("says whether one account was reached, and how many of several", () => {
    expect(reachedWords({ accounts: 1, reached_accounts: 1, record: false })).toBe("Reached");
    expect(reachedWords({ accounts: 1, reached_accounts: 0, record: false })).toBe("Not reached");
    expect(reachedWords({ accounts: 4, reached_accounts: 3, record: false })).toBe("3 of 4");
    expect(reachedWords({ accounts: 1, reached_accounts: 0, record: true })).toBe("Recorded");
  });
});

describe("a comparison of dispatches", () => {
  const results = [
    result({ dispatch_id: "a", start_time: "2026-06-01T00:00:00Z", performance: 0.9, commitment_kw: 10 }),
    result({ dispatch_id: "b", start_time: "2026-06-02T00:00:00Z", performance: null, commitment_kw: 30 }),
    result({ dispatch_id: "c", start_time: "2026-06-03T00:00:00Z", performance: 1.1, commitment_kw: 20 }),
  ];
  const order = (sort?: string) => comparedResults(results, sort).map(({ dispatch_id }) => dispatch_id);

  test("is in order of time, or sorted with what is unknown last", () => {
    expect(order()).toEqual(["a", "b", "c"]);
    expect(order("-start_time")).toEqual(["c", "b", "a"]);
    expect(order("performance")).toEqual(["a", "c", "b"]);
    expect(order("-performance")).toEqual(["c", "a", "b"]);
    expect(comparison("nonsense")).toEqual({ by: "start_time", descending: false });
  });

  test("has bars as high as the most that was committed or delivered", () => {
    expect(highestKw([])).toBe(1);
    expect(highestKw([result({ commitment_kw: 40, mean_reduction_kw: 55 })])).toBe(55);
    expect(highestKw([result({ commitment_kw: 40, mean_reduction_kw: null })])).toBe(40);
  });
});
