import { describe, expect, test } from "vitest";
import { reportState } from "../../src/rules/dispatch-report.js";
import { axisTicks, intervalTable, meanOf, reportInterval, sumOfSites } from "../../src/rules/interval-table.js";

const HOUR_MS = 3_600_000;

const csv = [
  "dispatch_id,version,site_id,site_name,timestamp,seconds,load_kw,baseline_kw,target_kw,reduction_kw,coverage",
  'dis_1,1,site_a,"Hall, ""north""",2026-07-01T18:05:00Z,300,60,100,70,40,1',
  'dis_1,1,site_a,"Hall, ""north""",2026-07-01T18:10:00Z,300,,100,70,,0',
  "dis_1,1,site_b,Mill,2026-07-01T18:05:00Z,300,30,50,,20,1",
  "dis_1,1,site_b,Mill,2026-07-01T18:10:00Z,300,20,50,,30,0.5",
  "",
].join("\r\n");

describe("the intervals of a dispatch", () => {
  test("are read from the file, whatever a site is called, and empty means unknown", () => {
    const table = intervalTable(csv);
    expect([...table.keys()]).toEqual(["site_a", "site_b"]);
    expect(table.get("site_a")).toEqual([
      {
        endMs: Date.parse("2026-07-01T18:05:00Z"),
        loadKw: 60,
        baselineKw: 100,
        targetKw: 70,
        reductionKw: 40,
        measuredSeconds: 300,
      },
      {
        endMs: Date.parse("2026-07-01T18:10:00Z"),
        loadKw: null,
        baselineKw: 100,
        targetKw: 70,
        reductionKw: null,
        measuredSeconds: 0,
      },
    ]);
    expect(intervalTable("").size).toBe(0);
  });

  test("add up over the sites that have load and baseline", () => {
    expect(sumOfSites(intervalTable(csv))).toEqual([
      { endMs: Date.parse("2026-07-01T18:05:00Z"), loadKw: 90, baselineKw: 150, targetKw: 120, reductionKw: 60 },
      { endMs: Date.parse("2026-07-01T18:10:00Z"), loadKw: 20, baselineKw: 50, targetKw: 50, reductionKw: 30 },
    ]);
  });

  test("have a mean over what was received", () => {
    const table = intervalTable(csv);
    expect(meanOf(table.get("site_b") ?? [], "loadKw")).toBeCloseTo((30 * 300 + 20 * 150) / 450, 9);
    expect(meanOf(table.get("site_a") ?? [], "baselineKw")).toBe(100);
    expect(meanOf([], "loadKw")).toBeNull();
  });

  test("are as long as some fifty of them need to be", () => {
    expect(reportInterval(HOUR_MS / 4)).toBe(30);
    expect(reportInterval(HOUR_MS)).toBe(300);
    expect(reportInterval(12 * HOUR_MS)).toBe(900);
    expect(reportInterval(31 * 24 * HOUR_MS)).toBe(3600);
  });
});

describe("the axis of a printed curve", () => {
  test("has few round values, with zero and all values between the ends", () => {
    expect(axisTicks(12, 95)).toEqual([0, 50, 100]);
    expect(axisTicks(-40, 95)).toEqual([-50, 0, 50, 100]);
    expect(axisTicks(0, 0)).toEqual([0, 0.5, 1]);
    expect(axisTicks(200, 12_345).at(-1)).toBeGreaterThanOrEqual(12_345);
  });
});

describe("the state of a result in a report", () => {
  const version = {
    version: 1,
    at: "2026-07-02T16:00:00Z",
    by: null,
    note: null,
    rules_version: 1,
    standing: "standing",
  } as const;

  test("says whether it can still change", () => {
    const final = { state: "final", version: 1 } as const;
    expect(reportState({ ...final, versions: [{ ...version, reason: "complete" }] })).toMatch(/^Final, version 1\./);
    expect(reportState({ ...final, versions: [{ ...version, reason: "approved" }] })).toMatch(/^Approved, version 1\./);
    expect(reportState({ ...final, versions: [{ ...version, reason: "complete", standing: "superseded" }] })).toBe(
      "Version 1, which does not stand.",
    );
    expect(reportState({ state: "ended", version: null, versions: [] })).toMatch(/^Preliminary/);
    expect(reportState({ state: "cancelled", version: 1, versions: [{ ...version, reason: "complete" }] })).toMatch(
      /^Cancelled/,
    );
    expect(reportState({ state: "cancelled", version: 1, versions: [{ ...version, reason: "withdrawn" }] })).toMatch(
      /^Voided/,
    );
  });
});
