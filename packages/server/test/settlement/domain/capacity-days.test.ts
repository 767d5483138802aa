import fc from "fast-check";
import { expect, test } from "vitest";
import { capacityDaysOf } from "../../../src/settlement/domain/capacity-days.js";
import {
  type EnrolledPeriod,
  type EnrolmentChange,
  periodsOf,
} from "../../../src/settlement/domain/enrolled-period.js";
import { daysOfMonth } from "../../../src/settlement/operations/enrolled-in-month.js";

const at = (time: string): number => Date.parse(`2026-06-${time}Z`);

const period = (
  programId: string,
  commitmentKw: number | null,
  rest: Partial<EnrolledPeriod> = {},
): EnrolledPeriod => ({
  programId,
  programName: `Program ${programId}`,
  fromMs: null,
  toMs: null,
  sinceMs: null,
  commitmentKw,
  ...rest,
});

const JUNE = daysOfMonth("2026-06", "UTC");
const daysOf = (programId: string, ...periods: EnrolledPeriod[]) =>
  capacityDaysOf(programId, JUNE, periods).map(({ from, days, commitmentKw, countedKw }) => [
    from,
    days,
    commitmentKw,
    countedKw,
  ]);

test("a month is cut where the commitment at the end of a day changes", () => {
  const changed = [period("a", 40, { toMs: at("15T09:00:00") }), period("a", 60, { fromMs: at("15T09:00:00") })];
  expect(daysOf("a", ...changed)).toEqual([
    ["2026-06-01", 14, 40, "40.000"],
    ["2026-06-15", 16, 60, "60.000"],
  ]);
});

test("days without an enrolment count nothing", () => {
  expect(daysOf("a", period("a", 40, { fromMs: at("11T00:00:00"), toMs: at("21T00:00:00") }))).toEqual([
    ["2026-06-01", 10, null, "0.000"],
    ["2026-06-11", 10, 40, "40.000"],
    ["2026-06-21", 10, null, "0.000"],
  ]);
});

test("days are those of the program's time zone, of 23 and 25 hours, too", () => {
  expect(daysOfMonth("2026-03", "Europe/Berlin")).toHaveLength(31);
  expect(daysOfMonth("2026-03", "Europe/Berlin").at(-3)?.lastMs).toBe(Date.parse("2026-03-29T21:59:59.999Z") - 0);
  const inNewYork = daysOfMonth("2026-06", "America/New_York");
  const changed = [period("a", 40, { toMs: at("15T03:00:00") }), period("a", 60, { fromMs: at("15T03:00:00") })];
  expect(capacityDaysOf("a", inNewYork, changed).map(({ from }) => from)).toEqual(["2026-06-01", "2026-06-14"]);
});

test("two programs are paid the larger commitment together, the earlier enrolment first", () => {
  const [first, second] = [period("b", 40, { sinceMs: 1 }), period("a", 100, { sinceMs: 2 })];
  expect([daysOf("b", first, second), daysOf("a", first, second)]).toEqual([
    [["2026-06-01", 30, 40, "40.000"]],
    [["2026-06-01", 30, 100, "60.000"]],
  ]);
  const smaller = period("a", 30, { sinceMs: 2 });
  expect(daysOf("a", first, smaller)).toEqual([["2026-06-01", 30, 30, "0.000"]]);
  expect(daysOf("a", first, period("a", null, { sinceMs: 2 }))).toEqual([["2026-06-01", 30, null, "0.000"]]);
  expect(daysOf("a", period("b", null, { sinceMs: 1 }), second)).toEqual([["2026-06-01", 30, 100, "100.000"]]);
});

test("what is left by the earlier enrolment counts from the next day on", () => {
  const first = period("a", 40, { toMs: at("10T12:00:00") });
  expect(daysOf("b", first, period("b", 40, { sinceMs: 1 }))).toEqual([
    ["2026-06-01", 9, 40, "0.000"],
    ["2026-06-10", 21, 40, "40.000"],
  ]);
});

const periods = (...changes: EnrolmentChange[]) =>
  periodsOf({ programId: "a", programName: "A" }, changes).map(({ fromMs, toMs, commitmentKw, sinceMs }) => [
    fromMs,
    toMs,
    commitmentKw,
    sinceMs,
  ]);
const kw = (commitmentKw: number | null) => ({ commitmentKw });

test("periods follow from the changes, and an enrolment keeps its beginning while its commitment changes", () => {
  const enrolled = [
    { atMs: 10, before: null, after: kw(40) },
    { atMs: 20, before: kw(40), after: kw(60) },
  ];
  expect(periods(...enrolled, { atMs: null, before: kw(60), after: kw(60) })).toEqual([
    [10, 20, 40, 10],
    [20, null, 60, 10],
  ]);
  const again = { atMs: 40, before: null, after: kw(5) };
  expect(periods(...enrolled, { atMs: 30, before: kw(60), after: null }, again, { ...again, atMs: null })).toEqual([
    [10, 20, 40, 10],
    [20, 30, 60, 10],
    [40, null, 5, 40],
  ]);
});

test("an enrolment of before the first record has no beginning", () => {
  expect(periods({ atMs: null, before: kw(7), after: kw(7) })).toEqual([[null, null, 7, null]]);
  expect(periods({ atMs: 9, before: kw(7), after: null })).toEqual([[null, 9, 7, null]]);
});

const enrolments = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom("a", "b", "c", "d"),
    kw: fc.option(fc.integer({ min: 0, max: 90 })),
    since: fc.nat(3),
  }),
  { selector: ({ id }) => id, minLength: 1 },
);

test("property: together, programs are paid the largest commitment of the site on every day", () => {
  fc.assert(
    fc.property(enrolments, (all) => {
      const held = all.map(({ id, kw: commitment, since }) => period(id, commitment, { sinceMs: since }));
      const paid = all.map(({ id }) => Number(capacityDaysOf(id, JUNE.slice(0, 1), held)[0]?.countedKw));
      const largest = Math.max(...all.map(({ kw: commitment }) => commitment ?? 0));
      expect(paid.reduce((sum, each) => sum + each, 0)).toBe(largest);
    }),
  );
});
