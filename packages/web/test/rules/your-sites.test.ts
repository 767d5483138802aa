import { describe, expect, test } from "vitest";
import { accountSpark } from "../../src/rules/account-spark.js";
import { whatFollows } from "../../src/rules/what-follows.js";
import { ownRows } from "../../src/rules/your-sites.js";

const site = (id: string, stale = false) => ({ id, name: `Site ${id}`, stale });
const called = (site_id: string, commitment_kw: number | null, delivered_kw: number | null) => ({
  site_id,
  commitment_kw,
  delivered_kw,
});

describe("sites of a dispatch", () => {
  test("are listed by what they lack of their share, those that are not measured first", () => {
    const sites = ["2", "10", "1", "3"].map((id) => site(id));
    const rows = ownRows(
      { sites: [called("2", 100, 40), called("10", 100, 96), called("1", 100, null), called("3", 50, 60)] },
      sites,
    );
    expect(rows.map(({ name, belowKw }) => [name, belowKw])).toEqual([
      ["Site 1", null],
      ["Site 2", 60],
      ["Site 3", 0],
      ["Site 10", 0],
    ]);
  });

  test("that raise their load lack more than their share", () => {
    const [row] = ownRows({ sites: [called("1", 100, -20)] }, [site("1")]);
    expect(row).toMatchObject({ belowKw: 120, share: -0.2 });
  });

  test("without a commitment lack nothing that is known", () => {
    expect(ownRows({ sites: [called("1", null, 20)] }, [site("1", true)])).toEqual([
      { id: "1", name: "Site 1", deliveredKw: 20, committedKw: null, share: null, belowKw: null, isStale: true },
    ]);
  });
});

describe("what follows", () => {
  const times = { start_time: "2026-11-30T23:00:00Z", end_time: "2026-12-01T01:00:00Z", test: false };

  test("a dispatch in progress is its end, its result, and the statement of the month that it began in", () => {
    const steps = whatFollows(times, "America/Chicago");
    expect(steps.map(({ kind }) => kind)).toEqual(["now", "end", "result", "statement"]);
    expect(steps[3]?.words).toBe("The statement of Nov 2026, with the amount");
  });

  test("a test is no statement", () => {
    expect(whatFollows({ ...times, test: true }, "UTC").map(({ kind }) => kind)).toEqual(["now", "end", "result"]);
  });

  test("an open-ended dispatch is the end that is told later", () => {
    expect(whatFollows({ ...times, end_time: null }, "UTC")[1]).toMatchObject({
      at: null,
      words: /until an end is set/,
    });
  });
});

describe("the drawing of an account's curve", () => {
  const dispatch = {
    id: "dis_1",
    state: "in_progress" as const,
    test: false,
    program: { name: "Peak" } as never,
    start_time: "2026-11-20T17:00:00Z",
    end_time: "2026-11-20T20:00:00Z",
    reached: true,
    status_limits: null,
    sites: [called("1", 100, 40)],
  };
  const cells = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      timestamp: new Date(Date.parse(dispatch.start_time) + (index + 1) * 30_000).toISOString().replace(".000", ""),
      sites: 1,
      commitment_kw: 100,
      baseline_kw: 200,
      load_kw: 160,
      reduction_kw: index === 1 ? null : 40,
      target_kw: 100,
    }));

  test("has at most 60 points, each the mean of what is known in its stretch", () => {
    const spark = accountSpark(dispatch, { curve: cells(300), measured_until: "2026-11-20T19:30:00Z" });
    expect(spark?.curve).toMatchObject({ from: dispatch.start_time, step_seconds: 150 });
    expect(spark?.curve?.delivered_kw).toEqual(Array(60).fill(40));
  });

  test("keeps what is not known apart, and leaves out what follows the measurement", () => {
    const spark = accountSpark(dispatch, { curve: cells(5), measured_until: "2026-11-20T17:01:30Z" });
    expect(spark?.curve).toEqual({ from: dispatch.start_time, step_seconds: 30, delivered_kw: [40, null, 40] });
  });

  test("is none without a commitment", () => {
    const free = { ...dispatch, sites: [called("1", null, 40)] };
    expect(accountSpark(free, { curve: cells(5), measured_until: "2026-11-20T20:00:00Z" })).toBeNull();
  });
});
