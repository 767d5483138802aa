import { CELL_SECONDS, cellsOf, countOf, deliveredWithin } from "@curtail/measure";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contestsOf, type EnergyClaim } from "../../../src/settlement/domain/contest.js";
import { settleSite } from "../../../src/settlement/domain/settle-site.js";
import type { SettledResult } from "../../../src/settlement/domain/statement.js";
import type { Terms } from "../../../src/settlement/domain/terms.js";
import { contestedResult } from "../../../src/settlement/operations/contested-result.js";

// One kWh costs one dollar: an amount is the energy that it is paid for.
const TERMS: Terms = {
  currency: "USD",
  capacity: null,
  energy: { pricePerKwh: "1", counted: "net", highestShare: null },
  penalty: { below: "1", pricePerKwh: "1", counted: "capped", highestPerMonth: null, withinEarnings: false },
};

const START = Date.parse("2026-06-30T23:00:00Z");
const CELLS = 240;
const cellMs = (cell: number): number => START + cell * CELL_SECONDS * 1000;

interface Dispatch {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly issuedMs: number;
  readonly commitmentKw: number;
}

/** Two hours across midnight and the end of a month, in which up to eight dispatches start and end on any second. */
const dispatches = fc
  .array(
    fc.record({
      from: fc.integer({ min: 0, max: 7100 }),
      seconds: fc.integer({ min: 30, max: 3600 }),
      issuedMs: fc.nat(4),
      commitmentKw: fc.integer({ min: 0, max: 20 }).map((tens) => tens * 12),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((all) =>
    all.map(({ from, seconds, ...rest }, index): Dispatch => {
      const startMs = START + from * 1000;
      return { id: `dis_${index}`, startMs, endMs: Math.min(startMs + seconds * 1000, cellMs(CELLS)), ...rest };
    }),
  );

/** Reductions in multiples of 1.2 kW, so that a cell has whole hundredths of a kWh; null: no reading. */
const reductions = fc.array(fc.option(fc.integer({ min: -50, max: 200 }).map((steps) => steps * 1.2)), {
  minLength: CELLS,
  maxLength: CELLS,
});

const FIRST = START / 1000 / CELL_SECONDS + 1;
const BASELINE_KW = 300;
const seriesOf = (values: ReadonlyArray<number | null>) => ({
  intervalSeconds: CELL_SECONDS,
  firstCell: FIRST,
  values: Float64Array.from(values, (kw) => kw ?? Number.NaN),
});

const resultOf = (dispatch: Dispatch, measured: Parameters<typeof deliveredWithin>[0]): SettledResult => {
  const delivered = deliveredWithin(measured, [cellsOf(dispatch, CELL_SECONDS)]);
  return {
    dispatchId: dispatch.id,
    startMs: dispatch.startMs,
    endMs: dispatch.endMs,
    version: 1,
    isCancelled: false,
    netKwh: delivered.deliveredKwh,
    flooredKwh: delivered.deliveredFlooredKwh,
    cappedKwh: delivered.deliveredCappedKwh,
    committedKwh: (dispatch.commitmentKw * (dispatch.endMs - dispatch.startMs)) / 3_600_000,
    performance: null,
    reason: null,
    isSilent: delivered.deliveredKwh === null,
  };
};

/** Amounts of all dispatches in cents: what is paid for energy, and the lines. */
const settled = (all: readonly Dispatch[], kw: ReadonlyArray<number | null>, rulesVersion: 1 | 2) => {
  const measuredOf = ({ commitmentKw }: Dispatch) => ({
    load: seriesOf(kw.map((each) => (each === null ? null : BASELINE_KW - each))),
    curve: seriesOf(kw.map(() => BASELINE_KW)),
    commitmentKw,
  });
  const cells = (dispatch: Dispatch) => cellsOf(dispatch, CELL_SECONDS);
  const claims = all
    .filter((dispatch) => countOf(cells(dispatch)) > 0)
    .map(
      (dispatch): EnergyClaim => ({
        dispatchId: dispatch.id,
        programName: dispatch.id,
        cells: cells(dispatch),
        issuedMs: dispatch.issuedMs,
        isEarlierRules: false,
      }),
    );
  const contests = rulesVersion === 1 ? new Map() : contestsOf(claims);
  const results = all.map((dispatch) => {
    const contest = contests.get(dispatch.id);
    const result = resultOf(dispatch, measuredOf(dispatch));
    const toCount = { expected: countOf(cells(dispatch)), measured: measuredOf(dispatch) };
    return contest === undefined ? result : contestedResult(result, contest, toCount);
  });
  const site = { siteId: "site_1", name: "Mill", isEnrolled: false, commitmentKw: null, results };
  const { lines } = settleSite({ id: "prg_1", terms: TERMS, rulesVersion }, site);
  const cents = lines.filter(({ kind }) => kind === "energy").map(({ amount }) => Math.round(Number(amount) * 100));
  return { lines, cents: cents.reduce((sum, each) => sum + each, 0) };
};

test("property: what overlapping dispatches are paid is the energy of their intervals, counted once", () => {
  fc.assert(
    fc.property(dispatches, reductions, (all, kw) => {
      // Independent: each interval whose midpoint any dispatch covers, and its readings.
      let cents = 0;
      for (const [index, each] of kw.entries()) {
        const midpointMs = cellMs(index + 0.5);
        const isCovered = all.some(({ startMs, endMs }) => startMs < midpointMs && midpointMs <= endMs);
        if (isCovered) cents += Math.round((each ?? 0) / 1.2);
      }
      expect(settled(all, kw, 2).cents).toBe(cents);
    }),
    { numRuns: propertyRuns(40) },
  );
});

test("property: no dispatch is paid or fined more because others overlap it", () => {
  fc.assert(
    fc.property(dispatches, reductions, (all, kw) => {
      const positive = kw.map((each) => (each === null ? null : Math.max(0, each)));
      const [once, twice] = [settled(all, positive, 2), settled(all, positive, 1)];
      expect(once.cents).toBeLessThanOrEqual(twice.cents);
      for (const line of once.lines.filter(
        ({ words }) => words.startsWith("not paid here") || words.startsWith("not judged here"),
      ))
        expect(Number(line.amount)).toBe(0);
    }),
    { numRuns: propertyRuns(40) },
  );
});

test("50 kW for an hour in two dispatches are 100 kWh by the first rules, and 50 by these", () => {
  const hour = { startMs: START, endMs: cellMs(120), commitmentKw: 48 };
  const two = [
    { id: "dis_1", issuedMs: 1, ...hour },
    { id: "dis_2", issuedMs: 2, ...hour },
  ];
  const kw = Array.from({ length: CELLS }, () => 50);
  expect([settled(two, kw, 1).cents, settled(two, kw, 2).cents]).toEqual([10_000, 5000]);
  expect(
    settled(two, kw, 2).lines.map(({ kind, dispatchId, quantity, amount, words }) => [
      kind,
      dispatchId,
      quantity,
      amount,
      words,
    ]),
  ).toEqual([
    ["energy", "dis_1", "50.000", "50.00", "delivered; 120 intervals that dis_2 claims, too, are paid here"],
    ["energy", "dis_2", "0.000", "0.00", "not paid here; 120 of 120 intervals are paid in dis_1, which comes first"],
    [
      "penalty",
      "dis_1",
      "0.000",
      "0.00",
      "not below 100 % of the commitment; 120 intervals that dis_2 claims, too, are paid here",
    ],
    ["penalty", "dis_2", null, "0.00", "not judged here; 120 of 120 intervals are paid in dis_1, which comes first"],
  ]);
});
