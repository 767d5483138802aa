import { describe, expect, test } from "vitest";
import type { Dispatch } from "../../../src/dispatch/domain/dispatch.js";
import { finalAt, judge, type Point, type Run } from "../../../src/sandbox/domain/report.js";
import type { Scenario } from "../../../src/sandbox/domain/scenario.js";
import { dispatchSite, dispatchWith } from "../../support/domain-forms.js";

const made = new Date("2026-07-01T12:00:00Z");
const at = (minutes: number): Date => new Date(made.getTime() + minutes * 60_000);

/** Notified after 10 minutes, from 30 to 90; 100 kW to shed. */
const dispatch = (more: Partial<Dispatch> = {}): Dispatch =>
  dispatchWith({
    start: at(30),
    end: at(90),
    notification: at(10),
    createdAt: made,
    changedAt: at(10),
    sites: [dispatchSite({ id: "s", accountId: "a", commitmentKw: 100 })],
    ...more,
  });

const scenario = (dispatches: Dispatch[][], more: Partial<Scenario> = {}): Scenario => ({
  id: "scn_1",
  accountId: "a",
  type: "basic",
  name: null,
  speed: 1,
  createdAt: made,
  replacedAt: null,
  dispatches,
  ...more,
});

const points = (...all: Array<[minute: number, powerKw: number]>): Point[] =>
  all.map(([minute, powerKw]) => ({ atMs: at(minute).getTime(), powerKw }));

const before: Array<[number, number]> = [
  [1, 190],
  [9, 210],
];

const runOf = (dispatches: Dispatch[][], of: Point[], more: Partial<Scenario> = {}): Run => ({
  scenario: scenario(dispatches, more),
  firstReads: [],
  answered: [],
  points: new Map([["s", of]]),
});

const resultOf = (run: Run, name: string, minutes = 1000) =>
  judge(run, at(minutes)).criteria.find((each) => each.name === name);

const curtailment = (of: Point[], more: Partial<Dispatch> = {}, minutes?: number) =>
  resultOf(runOf([[dispatch(more)]], of), "curtailed_in_time", minutes);

describe("curtailed in time", () => {
  test("asks for nine tenths of the commitment below the mean of the ten minutes before the notice, by the start", () => {
    expect(curtailment(points(...before, [30, 110]))).toMatchObject({ result: "passed", at: at(30) });
    expect(curtailment(points(...before, [30, 110.1]))?.result).toBe("failed");
    expect(curtailment(points(...before, [29, 110.1], [31, 0]))?.result).toBe("failed");
    expect(curtailment(points([0, 1000], ...before, [20, 100], [30, 100]))).toMatchObject({
      result: "passed",
      at: at(20),
    });
    expect(curtailment(points(...before, [15, 50], [20, 200], [25, 90]))).toMatchObject({
      result: "passed",
      at: at(25),
    });
  });

  test("allows five minutes from the start where the notice was shorter than that", () => {
    const short = { start: at(14), notification: at(10) };
    expect(curtailment(points(...before, [14, 200], [19, 100]), short)).toMatchObject({ result: "passed", at: at(19) });
    expect(curtailment(points(...before, [14, 200], [20, 100]), short)?.result).toBe("failed");
    expect(curtailment(points(...before, [15, 200], [16, 100]), { start: at(15) })?.result).toBe("failed");
  });

  test("is not seen before its time, without readings, or without a commitment", () => {
    expect(curtailment(points(...before, [20, 100]), {}, 29)?.result).toBe("not_seen");
    expect(curtailment(points([20, 100]))?.result).toBe("not_seen");
    expect(curtailment(points(...before))?.result).toBe("not_seen");
    const [site] = dispatch().sites;
    const sites = site === undefined ? [] : [{ ...site, commitmentKw: null }];
    expect(curtailment(points(...before, [30, 100]), { sites })?.result).toBe("not_seen");
  });
});

const curtailed: Array<[number, number]> = [...before, [30, 100]];

const homecoming = (of: Point[], minutes?: number) => resultOf(runOf([[dispatch()]], of), "returned_after", minutes);

describe("returned after", () => {
  test("asks for a load above the curtailed one within a quarter of an hour of the end", () => {
    expect(homecoming(points(...curtailed, [105, 111]))).toMatchObject({ result: "passed", at: at(105) });
    expect(homecoming(points(...curtailed, [100, 110], [106, 200]))?.result).toBe("failed");
    expect(homecoming(points(...curtailed, [100, 110]), 104)?.result).toBe("not_seen");
    expect(homecoming(points(...curtailed))?.result).toBe("not_seen");
    expect(homecoming(points(...before, [30, 200], [100, 200]))?.result).toBe("not_seen");
  });

  test("is not asked where another dispatch of the scenario calls the site meanwhile", () => {
    const next = dispatch({ id: "dis_2", start: at(104), end: at(120) });
    const run = runOf([[dispatch()], [next]], points(...curtailed, [104, 100], [119, 100], [121, 200]));
    const results = judge(run, at(1000)).criteria.filter(({ name }) => name === "returned_after");
    expect(results.map(({ dispatchId, result }) => [dispatchId, result])).toEqual([
      ["dis_1", "not_seen"],
      ["dis_2", "passed"],
    ]);
  });
});

const cancelled = (minutes: number) => [
  dispatch(),
  dispatch({ authorized: false, modificationNumber: 1, changedAt: at(minutes) }),
];

describe("a cancellation", () => {
  test("is to be followed within a quarter of an hour", () => {
    const run = (minute: number) => runOf([cancelled(60)], points(...before, [30, 100], [minute, 200]));
    expect(resultOf(run(75), "stopped_on_cancel")).toMatchObject({ result: "passed", at: at(75) });
    expect(resultOf(run(76), "stopped_on_cancel")?.result).toBe("not_seen");
    const stuck = runOf([cancelled(60)], points(...before, [30, 100], [70, 100]));
    expect(resultOf(stuck, "stopped_on_cancel")?.result).toBe("failed");
  });

  test("before the start requires no curtailment", () => {
    const run = runOf([cancelled(20)], points(...before, [25, 200]));
    expect(resultOf(run, "curtailed_in_time")).toBeUndefined();
    expect(resultOf(run, "stopped_on_cancel")?.result).toBe("passed");
  });
});

describe("what was read", () => {
  test("counts from when it was first seen, in that modification or a later one", () => {
    const updated = [dispatch(), dispatch({ modificationNumber: 1, changedAt: at(20) })];
    const run: Run = {
      ...runOf([updated], []),
      firstReads: [
        { by: "get", dispatchId: "dis_1", number: 0, firstAt: at(12) },
        { by: "get", dispatchId: "dis_2", number: 1, firstAt: at(5) },
      ],
      answered: [{ dispatchId: "dis_1", at: at(11) }],
    };
    expect(resultOf(run, "notified")).toMatchObject({ result: "passed", at: at(11) });
    expect(resultOf(run, "fetched")).toMatchObject({ result: "passed", at: at(12) });
    expect(resultOf(run, "update_fetched")?.result).toBe("failed");
    expect(resultOf(run, "update_fetched", 15)?.result).toBe("not_seen");
    const seen: Run = { ...run, firstReads: [{ by: "get", dispatchId: "dis_1", number: 1, firstAt: at(30) }] };
    expect(resultOf(seen, "fetched")?.at).toEqual(at(30));
    expect(resultOf(seen, "update_fetched")?.result).toBe("passed");
  });

  test("is what a VEN was shown, too; the earlier of both counts", () => {
    const byVen = { by: "openadr2" as const, dispatchId: "dis_1", number: 0, firstAt: at(11) };
    const run: Run = { ...runOf([[dispatch()]], []), firstReads: [{ ...byVen, by: "get", firstAt: at(12) }, byVen] };
    const detail = "a VEN received it";
    expect(resultOf(run, "fetched")).toMatchObject({ result: "passed", at: at(11), detail });
    expect(resultOf(run, "notified")).toMatchObject({
      at: at(11),
      detail: `${detail} before any webhook responded`,
    });
  });
});

describe("a run is final", () => {
  test("for good: what is read afterwards changes no verdict", () => {
    const late: Run["firstReads"] = [{ by: "get", dispatchId: "dis_1", number: 0, firstAt: at(106) }];
    expect(resultOf({ ...runOf([[dispatch()]], []), firstReads: late }, "fetched")?.result).toBe("failed");
    const inTime: Run["firstReads"] = [{ by: "get", dispatchId: "dis_1", number: 0, firstAt: at(105) }];
    expect(resultOf({ ...runOf([[dispatch()]], []), firstReads: inTime }, "fetched")?.result).toBe("passed");
  });

  test("a quarter of an hour after the last end, divided by its speed", () => {
    const second = dispatch({ id: "dis_2", start: at(90), end: at(120) });
    expect(finalAt(scenario([[dispatch()], [second]]))).toEqual(at(135));
    expect(finalAt(scenario([[dispatch()]], { speed: 15 }))).toEqual(at(91));
  });

  test("a day after the start where there is no end, and after the cancellation where there is one", () => {
    expect(finalAt(scenario([[dispatch({ end: null })]]))).toEqual(at(30 + 1440 + 15));
    const cancelled = [dispatch(), dispatch({ authorized: false, modificationNumber: 1, changedAt: at(40) })];
    expect(finalAt(scenario([cancelled]))).toEqual(at(55));
  });

  test("when another scenario takes its place, with what was open left open", () => {
    const report = judge(runOf([[dispatch()]], [], { replacedAt: at(20) }), at(21));
    expect(report.state).toBe("final");
    expect(new Set(report.criteria.map(({ result }) => result))).toEqual(new Set(["not_seen"]));
  });
});
