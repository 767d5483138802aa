import type { operator } from "@curtail/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boardRow, inOrder, sumOf, worstFirst } from "../../src/rules/board.js";
import { nextOrder, RESORT_MS, settledOrder, UNSORTED } from "../../src/rules/settled-order.js";
import { axisKw, pathOf, sparkOf } from "../../src/rules/spark.js";

const START = "2026-07-01T18:00:00Z";
const now = new Date("2026-07-01T18:30:00Z");
const after = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();

const running = (
  delivered_kw: number | null,
  given: Partial<operator.DispatchOverview> = {},
): operator.DispatchOverview => ({
  id: "dis_1",
  program_id: "prg_1",
  program_name: "Peak relief",
  timezone: "America/Chicago",
  test: false,
  notification_time: START,
  start_time: START,
  end_time: after(120),
  ramp_until: null,
  accounts: 148,
  accounts_notified: 118,
  sites: 1000,
  commitment_kw: 1000,
  delivered_kw,
  trend_kw: null,
  sites_measured: 1000,
  curve: null,
  status_limits: { amber_from: 0.7, green_from: 0.9, green_to: 1.2 },
  sites_by_status: null,
  ...given,
});
const row = (...given: Parameters<typeof running>) => boardRow(running(...given), now);

describe("a row of the board", () => {
  test("is urgent by the limits of its dispatch, as far as it falls short", () => {
    expect(row(650)).toMatchObject({ share: 0.65, shortKw: 350, urgency: "bad" });
    expect(row(760)).toMatchObject({ shortKw: 240, urgency: "warn" });
    expect(row(950)).toMatchObject({ shortKw: 50, urgency: "none" });
    expect(row(1050)).toMatchObject({ share: 1.05, shortKw: 0, urgency: "none" });
  });

  test("is no failure while its sites have the ramp-up time of the program", () => {
    expect(row(10, { ramp_until: after(30.1) })).toMatchObject({ isRamping: true, urgency: "none", shortKw: 990 });
    expect(row(10, { ramp_until: after(30) })).toMatchObject({ isRamping: false, urgency: "bad" });
  });

  test("says of nothing measured that it is not known, and never 0", () => {
    expect(row(null)).toMatchObject({ share: null, shortKw: null, urgency: "none" });
    expect(row(0)).toMatchObject({ share: 0, shortKw: 1000, urgency: "bad" });
    expect(row(0, { commitment_kw: 0 })).toMatchObject({ share: null, shortKw: 0, urgency: "none" });
  });

  test("counts the accounts that were not notified, of dispatches that somebody is notified of", () => {
    expect(row(1000).notNotified).toBe(30);
    expect(row(1000, { accounts_notified: null }).notNotified).toBeNull();
    expect(row(1000, { accounts: null, accounts_notified: null }).notNotified).toBeNull();
  });
});

describe("the sum of the board", () => {
  test("offsets nothing of one dispatch by what another delivers beyond its commitment", () => {
    const sum = sumOf([row(400), row(1600), row(null)]);
    expect(sum).toMatchObject({ committedKw: 3000, deliveredKw: 2000, shortKw: 600, accounts: 444, notNotified: 90 });
  });

  test("is unknown while nothing is measured, and leaves records out of those to notify", () => {
    expect(sumOf([row(null)])).toMatchObject({ deliveredKw: null, share: null, shortKw: null, trendKw: null });
    expect(sumOf([])).toMatchObject({ committedKw: 0, deliveredKw: null, accounts: 0, notNotified: 0 });
    expect(sumOf([row(1, { accounts_notified: null }), row(1)])).toMatchObject({ accounts: 148, notNotified: 30 });
  });

  test("is never less short than each of its rows, whatever they deliver", () => {
    const kw = fc.option(fc.double({ min: -500, max: 5000, noNaN: true }));
    fc.assert(
      fc.property(fc.array(kw, { minLength: 1 }), (delivered) => {
        const rows = delivered.map((each) => row(each));
        const { shortKw } = sumOf(rows);
        for (const each of rows) expect(shortKw ?? 0).toBeGreaterThanOrEqual(each.shortKw ?? 0);
      }),
    );
  });
});

const ids = (rows: ReturnType<typeof worstFirst>) => rows.map(({ dispatch }) => dispatch.id);

describe("the order of rows", () => {
  test("has those first that need a person, then by kW, then by name as people count", () => {
    const rows = [
      row(1000, { id: "b10", program_name: "Line 10" }),
      row(1000, { id: "b2", program_name: "Line 2" }),
      row(10, { id: "ramps", ramp_until: after(60) }),
      row(760, { id: "warns" }),
      row(600, { id: "less" }),
      row(300, { id: "worst" }),
    ];
    expect(ids(worstFirst(rows))).toEqual(["worst", "less", "warns", "ramps", "b2", "b10"]);
  });

  test("stays for a minute, and as long as a hand is on the rows; what is new comes last", () => {
    const before = { order: ["a", "b", "c"], sortedAtMs: 0, isWhole: true };
    const sorted = { sorted: ["d", "c", "a"], isWhole: true };
    const held = { isHeld: true, nowMs: 10 * RESORT_MS };
    expect(nextOrder(before, sorted, held)).toEqual({ ...before, order: ["a", "c", "d"] });
    expect(nextOrder(before, sorted, { isHeld: false, nowMs: RESORT_MS - 1 }).order).toEqual(["a", "c", "d"]);
    expect(nextOrder(before, sorted, { isHeld: false, nowMs: RESORT_MS })).toEqual({
      order: sorted.sorted,
      sortedAtMs: RESORT_MS,
      isWhole: true,
    });
    expect(nextOrder(UNSORTED, sorted, held).order).toEqual(sorted.sorted);
  });

  test("is made anew once all figures are known, unless a hand is on the rows", () => {
    const before = { order: ["a", "b"], sortedAtMs: 0, isWhole: false };
    const [part, whole] = [false, true].map((isWhole) => ({ sorted: ["b", "a"], isWhole }));
    const soon = { isHeld: false, nowMs: 1 };
    expect(part && nextOrder(before, part, soon).order).toEqual(["a", "b"]);
    expect(whole && nextOrder(before, whole, { ...soon, isHeld: true }).order).toEqual(["a", "b"]);
    expect(whole && nextOrder(before, whole, soon).order).toEqual(["b", "a"]);
  });

  test("loses no row and doubles none", () => {
    const some = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"));
    fc.assert(
      fc.property(some, some, (order, there) => {
        const rows = there.map((id) => row(1, { id }));
        expect(ids(inOrder(rows, order)).toSorted()).toEqual(there.toSorted());
        const kept = settledOrder(order, there).filter((id) => (order as readonly string[]).includes(id));
        expect(kept).toEqual(order.filter((id) => there.includes(id)));
      }),
    );
  });
});

const curveOf = (delivered_kw: ReadonlyArray<number | null>) => ({
  from: START,
  step_seconds: 60,
  delivered_kw: [...delivered_kw],
});

describe("the curve in a row", () => {
  test("has the time left as its blank part", () => {
    const { nowX, delivered, committed } = sparkOf(running(500, { curve: curveOf([500, 500]) }), now);
    expect(nowX).toBe(0.25);
    expect(delivered[0]?.at(-1)?.[0]).toBeCloseTo(2 / 120);
    expect(committed.at(-1)?.[0]).toBe(1);
  });

  test("ends half an hour from now without an end", () => {
    expect(sparkOf(running(1, { end_time: null }), now).nowX).toBe(0.5);
  });

  test("has a commitment that rises for as long as sites may ramp up", () => {
    const { committed } = sparkOf(running(1, { ramp_until: after(12) }), now);
    expect(committed.map(([x]) => x)).toEqual([0, 0.1, 1]);
    expect(committed[0]?.[1]).toBe(1);
    expect(committed[1]?.[1]).toBe(committed[2]?.[1]);
  });

  test("is broken where nothing is known", () => {
    const { delivered, gaps } = sparkOf(running(1, { curve: curveOf([1, null, null, 2, 3]) }), now);
    expect(delivered.map((stretch) => stretch.length)).toEqual([1, 2]);
    expect(gaps).toHaveLength(2);
    expect(sparkOf(running(null), now)).toMatchObject({ delivered: [], gaps: [] });
  });

  test("stays within its drawing, with no gap above the commitment, whatever is delivered", () => {
    const kw = fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }));
    fc.assert(
      fc.property(fc.array(kw, { maxLength: 60 }), fc.nat(2000), fc.nat(90), (values, commitment_kw, rampMinutes) => {
        const dispatch = running(1, { curve: curveOf(values), commitment_kw, ramp_until: after(rampMinutes) });
        const { delivered, committed, gaps, topKw } = sparkOf(dispatch, now);
        for (const [x, y] of [...delivered.flat(), ...committed, ...gaps.flat()]) {
          expect(x >= 0 && x <= 1 && y >= 0 && y <= 1).toBe(true);
          expect(pathOf([[x, y]], [1000, 100])).toMatch(/^M[\d.]+ [\d.]+$/);
        }
        const top = committed.at(-1)?.[1] ?? 0;
        for (const [, y] of gaps.flat()) expect(y).toBeGreaterThanOrEqual(top - 1e-9);
        expect(axisKw(topKw).every((each) => each <= topKw)).toBe(true);
      }),
    );
  });
});

test("an axis has two or three round figures", () => {
  expect(axisKw(9430)).toEqual([0, 5000]);
  expect(axisKw(8300)).toEqual([0, 5000]);
  expect(axisKw(2760)).toEqual([0, 1000, 2000]);
  expect(axisKw(46)).toEqual([0, 20, 40]);
  expect(axisKw(1)).toEqual([0, 0.5, 1]);
});
