import { describe, expect, test } from "vitest";
import type { StandingDispatch, StandingSite } from "../../../../src/performance/operations/final/standing-results.js";
import { calledSites } from "../../../../src/performance/operations/report/called-sites.js";
import { type ReportBy, SeasonReport } from "../../../../src/performance/operations/report/season-report.js";
import type { SiteSummary } from "../../../../src/performance/operations/site-summary.js";
import { visibleToOperators } from "../../../../src/portfolio/operations/visible-sites.js";
import { standingDispatch } from "../../../support/domain-forms.js";

const START = Date.parse("2026-06-10T18:00:00Z");
const HOUR = 3_600_000;

const dispatchOf = (over: Partial<StandingDispatch> = {}): StandingDispatch =>
  standingDispatch({
    timezone: "America/New_York",
    startMs: START,
    endMs: START + 2 * HOUR,
    issuedMs: START - HOUR,
    ...over,
  });

interface Delivered {
  readonly commitmentKw?: number | null;
  readonly meanKw?: number | null;
  /** Share of the intervals that were received. */
  readonly coverage?: number;
  readonly colour?: string;
  readonly baseline?: "found" | "none";
}

/** A result over two hours of 240 intervals. */
const resultOf = (delivered: Delivered): SiteSummary => {
  const { commitmentKw = 100, meanKw = 80, coverage = 1, colour = "amber", baseline = "found" } = delivered;
  const deliveredKwh = meanKw === null ? null : meanKw * 2 * coverage;
  return {
    commitmentKw,
    baseline: { state: baseline },
    compliance: null,
    status: { colour },
    performance: {
      toDate: {
        cellsExpected: 240,
        cellsPresent: 240 * coverage,
        performance: meanKw === null || commitmentKw === null || commitmentKw === 0 ? null : meanKw / commitmentKw,
        deliveredKwh,
        deliveredFlooredKwh: deliveredKwh,
        deliveredCappedKwh: commitmentKw === null ? null : deliveredKwh,
        committedKwh: commitmentKw === null ? null : commitmentKw * 2,
      },
    },
  } as unknown as SiteSummary;
};

const siteOf = (siteId: string, delivered: Delivered | null = {}, accountId = "acc_1"): StandingSite => ({
  siteId,
  accountId,
  name: `Name of ${siteId}`,
  commitmentKw: 100,
  result: delivered === null ? null : resultOf(delivered),
});

const reportOf = (by: ReportBy, ...dispatches: ReadonlyArray<readonly [StandingDispatch, ...StandingSite[]]>) => {
  const report = new SeasonReport(by);
  for (const [dispatch, ...sites] of dispatches) {
    const results = visibleToOperators({ dispatch, versions: [], standing: null, sites });
    for (const call of calledSites(results)) report.add(call);
  }
  return report;
};

const none = { measured: 0, without_baseline: 0, cancelled: 0, voided: 0, not_final: 0 };

describe("a report over dispatches", () => {
  test("without any has no rows, and a total in which nothing is known", () => {
    const report = reportOf("site");
    expect(report.rows()).toEqual([]);
    expect(report.total()).toEqual({
      subject: { siteId: null, siteName: null, accountId: null, programId: null, programName: null },
      members: [],
      latest: null,
      dispatches: 0,
      calls: 0,
      outcomes: none,
      callHours: 0,
      paidElsewhere: 0,
      paidElsewhereHours: 0,
      performance: null,
      lowest: null,
      highest: null,
      deliveredShare: null,
      deliveredKwh: null,
      deliveredFlooredKwh: null,
      deliveredCappedKwh: null,
      committedKwh: null,
      coverage: null,
      judged: 0,
      shareOnCommitment: null,
    });
  });

  test("weighs performance by what was committed: it is no mean of ratios", () => {
    const [row] = reportOf(
      "account",
      [
        dispatchOf(),
        siteOf("a", { commitmentKw: 100, meanKw: 50, colour: "red" }),
        siteOf("b", { commitmentKw: 10, meanKw: 20, colour: "blue" }),
      ],
      [dispatchOf({ id: "dis_2" }), siteOf("a", { commitmentKw: 100, meanKw: 100, colour: "green" })],
    ).rows();
    expect(row).toMatchObject({
      dispatches: 2,
      calls: 3,
      outcomes: { ...none, measured: 3 },
      callHours: 6,
      performance: 340 / 420,
      lowest: 0.5,
      highest: 2,
      deliveredShare: 340 / 420,
      deliveredKwh: 340,
      committedKwh: 420,
      coverage: 1,
      judged: 3,
      shareOnCommitment: 2 / 3,
    });
  });

  test("does not take what was not received for not delivered, except in the delivered share", () => {
    const [row] = reportOf("site", [dispatchOf(), siteOf("a", { meanKw: 100, coverage: 0.5 })]).rows();
    expect(row).toMatchObject({ performance: 1, deliveredShare: 0.5, deliveredKwh: 100, coverage: 0.5 });
  });

  test("has the energy of sites without a commitment, and compares only the others", () => {
    const report = reportOf("account", [
      dispatchOf(),
      siteOf("a", { commitmentKw: null, meanKw: 30, colour: "grey" }),
      siteOf("b", { commitmentKw: 0, meanKw: 20, colour: "grey" }),
      siteOf("c", { commitmentKw: 100, meanKw: 90 }),
    ]);
    expect(report.rows()).toMatchObject([
      {
        deliveredKwh: 280,
        committedKwh: 200,
        performance: 0.9,
        deliveredShare: 220 / 200,
        judged: 1,
        shareOnCommitment: 0,
      },
    ]);
    const alone = reportOf("site", [dispatchOf(), siteOf("a", { commitmentKw: null, meanKw: 30, colour: "grey" })]);
    expect(alone.rows()).toMatchObject([
      { deliveredKwh: 60, committedKwh: null, performance: null, deliveredShare: null, shareOnCommitment: null },
    ]);
  });

  test("counts calls that were cancelled, voided, without baseline or not final, and takes no numbers from them", () => {
    const report = reportOf(
      "program",
      [dispatchOf({ id: "dis_1", cancelledMs: START + HOUR }), siteOf("a")],
      [dispatchOf({ id: "dis_2", cancelledMs: START - HOUR }), siteOf("a", null)],
      [dispatchOf({ id: "dis_3", cancelledMs: START + 3 * HOUR, isVoid: true }), siteOf("a", null)],
      [dispatchOf({ id: "dis_4" }), siteOf("a", null), siteOf("b", { baseline: "none", meanKw: null, coverage: 0 })],
      [dispatchOf({ id: "dis_5" }), siteOf("a", { meanKw: 90 })],
    );
    const { subject: _, ...row } = report.rows()[0] ?? report.total();
    expect(row).toMatchObject({
      dispatches: 5,
      calls: 6,
      outcomes: { measured: 1, without_baseline: 1, cancelled: 2, voided: 1, not_final: 1 },
      callHours: 2,
      deliveredKwh: 180,
      committedKwh: 200,
      coverage: 1,
    });
    const { subject: _none, ...total } = report.total();
    expect(row).toEqual(total);
  });

  test("gives a site that changed its account a row for each, with the latest name", () => {
    const rows = reportOf(
      "site",
      [dispatchOf({ id: "dis_1" }), siteOf("a", {}, "acc_1")],
      [dispatchOf({ id: "dis_2" }), siteOf("a", {}, "acc_2")],
      [dispatchOf({ id: "dis_3" }), { ...siteOf("a", {}, "acc_2"), name: "Renamed" }],
    ).rows();
    expect(rows.map(({ subject, calls }) => [subject.siteName, subject.accountId, calls])).toEqual([
      ["Name of a", "acc_1", 1],
      ["Renamed", "acc_2", 2],
    ]);
  });

  test("has a row of each program, and of each of its accounts", () => {
    const dispatches = [
      [dispatchOf(), siteOf("a"), siteOf("b", {}, "acc_2")],
      [dispatchOf({ id: "dis_2", programId: "prg_2", programName: "Autumn" }), siteOf("a")],
    ] as const;
    const countsOf = (by: ReportBy) =>
      reportOf(by, ...dispatches)
        .rows()
        .map(({ subject, dispatches: count, calls }) => [subject.programName ?? subject.accountId, count, calls]);
    expect(countsOf("program")).toEqual([
      ["Autumn", 1, 1],
      ["Summer Peak", 1, 2],
    ]);
    expect(countsOf("account")).toEqual([
      ["acc_1", 2, 2],
      ["acc_2", 1, 1],
    ]);
  });

  test("dates a call by the local day of its start", () => {
    const late = dispatchOf({ startMs: Date.parse("2026-07-01T03:30:00Z") });
    const [call] = calledSites(
      visibleToOperators({ dispatch: late, versions: [], standing: null, sites: [siteOf("a")] }),
    );
    expect(call?.localDate).toBe("2026-06-30");
  });
});
