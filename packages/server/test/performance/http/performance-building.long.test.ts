import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Building, MINUTES_PER_DAY, meanOf, readBuilding } from "../../support/building.js";
import { dispatchBetween, measuredProgram, sitePerformanceOf, uploadIntervals } from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";

// A real afternoon with every preset. Everything is computed again here, only from the recorded minutes and the
// published parameters, without the measuring package.
const fixtures = process.env["TEST_FIXTURES"];
const TUESDAY = "2022-08-30";
const [START, END, NOTIFIED] = [14 * 60, 18 * 60, 12 * 60];
const COMMITMENT_KW = 0.5;
const HOLIDAYS = ["2022-07-04"];

interface Rule {
  readonly preset: string;
  readonly minutes: number;
  readonly days: number;
  /** Days of the pool that count for an interval. */
  readonly pick: (pool: readonly string[], interval: readonly [from: number, to: number], of: Building) => string[];
  readonly adjust?: {
    readonly kind: "additive" | "multiplicative";
    readonly window: readonly [from: number, to: number];
  };
}

const highest = (pool: readonly string[], count: number, kwOf: (date: string) => number): string[] =>
  pool.toSorted((a, b) => kwOf(b) - kwOf(a)).slice(0, count);
const all: Rule["pick"] = (pool) => [...pool];
const highByEvent =
  (count: number): Rule["pick"] =>
  (pool, _, of) =>
    highest(pool, count, (date) => of.mean(date, START, END));
const middleByEnergy: Rule["pick"] = (pool, _, of) =>
  highest(pool, pool.length, (date) => of.mean(date, 0, MINUTES_PER_DAY)).slice(1, -1);
const highByInterval: Rule["pick"] = (pool, [from, to], of) => highest(pool, 15, (date) => of.mean(date, from, to));

const rules: readonly Rule[] = [
  {
    preset: "high_4_of_5",
    minutes: 60,
    days: 5,
    pick: highByEvent(4),
    adjust: { kind: "additive", window: [START - 240, START - 60] },
  },
  {
    preset: "ten_of_ten",
    minutes: 60,
    days: 10,
    pick: all,
    adjust: { kind: "multiplicative", window: [START - 240, START - 60] },
  },
  { preset: "middle_8_of_10", minutes: 15, days: 10, pick: middleByEnergy },
  {
    preset: "middle_8_of_10_ratio",
    minutes: 15,
    days: 10,
    pick: middleByEnergy,
    adjust: { kind: "multiplicative", window: [START - 180, START - 60] },
  },
  { preset: "high_5_of_10", minutes: 60, days: 10, pick: highByEvent(5) },
  {
    preset: "high_5_of_10_ratio",
    minutes: 60,
    days: 10,
    pick: highByEvent(5),
    adjust: { kind: "multiplicative", window: [START - 240, START - 120] },
  },
  {
    preset: "weekdays_10_5min",
    minutes: 5,
    days: 10,
    pick: all,
    adjust: { kind: "additive", window: [NOTIFIED - 15, NOTIFIED] },
  },
  {
    preset: "high_15_of_20_per_hour",
    minutes: 60,
    days: 20,
    pick: highByInterval,
    adjust: { kind: "multiplicative", window: [START - 240, START - 60] },
  },
];

/** The latest complete weekdays before the dispatch that are not holidays. */
const weekdaysBefore = (count: number, of: Building): string[] => {
  const days: string[] = [];
  for (let back = 1; days.length < count && back <= 45; back++) {
    const day = new Date(Date.parse(`${TUESDAY}T00:00:00Z`) - back * 86_400_000);
    const date = day.toISOString().slice(0, 10);
    const isWeekday = day.getUTCDay() > 0 && day.getUTCDay() < 6;
    if (isWeekday && !HOLIDAYS.includes(date) && of.isWhole(date)) days.push(date);
  }
  return days;
};

const intervalsIn = (from: number, to: number, minutes: number): Array<readonly [from: number, to: number]> =>
  Array.from({ length: (to - from) / minutes }, (_, index) => [from + index * minutes, from + (index + 1) * minutes]);

/** The baseline in each interval of the dispatch, and its adjustment. */
const recomputed = ({ days, minutes, pick, adjust }: Rule, of: Building) => {
  const pool = weekdaysBefore(days, of);
  const plain = (interval: readonly [from: number, to: number]): number =>
    meanOf(pick(pool, interval, of).map((date) => of.mean(date, ...interval)));
  const raw = adjust === undefined ? null : compared(adjust, minutes, { plain, of });
  const applied = raw === null ? null : adjust?.kind === "additive" ? raw : Math.min(1.2, Math.max(0.8, raw));
  const adjusted = (kw: number) => (applied === null ? kw : adjust?.kind === "additive" ? kw + applied : kw * applied);
  const intervals = intervalsIn(START, END, minutes);
  return { pool, raw, applied, curve: intervals.map((interval) => adjusted(plain(interval))), intervals };
};

const compared = (
  { kind, window }: NonNullable<Rule["adjust"]>,
  minutes: number,
  { plain, of }: { readonly plain: (interval: readonly [number, number]) => number; readonly of: Building },
): number => {
  const inWindow = intervalsIn(...window, minutes);
  const [actual, baseline] = [meanOf(inWindow.map((each) => of.mean(TUESDAY, ...each))), meanOf(inWindow.map(plain))];
  return kind === "additive" ? actual - baseline : actual / baseline;
};

const utc = (minute: number): string =>
  new Date(Date.parse(`${TUESDAY}T00:00:00Z`) + (minute + 300) * 60_000).toISOString().replace(".000", "");

const expectPerformance = (site: Record<string, number>, reductionKw: number) => {
  expect(site["mean_reduction_kw"]).toBeCloseTo(reductionKw, 9);
  expect(site["performance"]).toBeCloseTo(reductionKw / COMMITMENT_KW, 9);
  expect(site["delivered_energy_kwh"]).toBeCloseTo(reductionKw * 4, 9);
  expect(site["cells_present"]).toBe(480);
};

describe.skipIf(fixtures === undefined)("the recorded building (needs TEST_FIXTURES)", () => {
  let service: Running;
  let anna: Participant;
  let building: Building;
  const later = new Date("2022-09-01T12:00:00Z");

  beforeAll(async () => {
    building = readBuilding(join(fixtures ?? "", "data", "commercial-building-1min-2022.csv"));
    service = await running();
    service.clock.set(later);
    anna = await service.newParticipant();
    await uploadIntervals(anna, firstOf(anna).meterId, building.intervals);
  });

  const measured = async (preset: string) => {
    // Nobody is notified of a dispatch that is created after its end (G61).
    service.clock.set(new Date(utc(NOTIFIED)));
    const settings = { timezone: "America/Chicago", holidays: HOLIDAYS, commitment: COMMITMENT_KW };
    const program = await measuredProgram(service, [anna], { ...settings, baseline: { preset } });
    // All for the same afternoon, one after the other: a day is not part of its own look-back.
    const id = await dispatchBetween(service, program, [utc(START), utc(END)], { notification_time: utc(NOTIFIED) });
    service.clock.set(later);
    return sitePerformanceOf(service, id, firstOf(anna).siteId);
  };

  test.each(rules.map((rule) => [rule.preset, rule] as const))("%s", async (preset, rule) => {
    const { site, explanation, curve } = await measured(preset);
    const mine = recomputed(rule, building);
    expect(explanation.pool.map(({ date }: { date: string }) => date)).toEqual(mine.pool);
    for (const [index, interval] of mine.intervals.entries()) {
      const picked = rule.pick(mine.pool, interval, building).toSorted();
      const clock = `${String(Math.floor(interval[0] / 60)).padStart(2, "0")}:00:00`;
      const chosen: string[] = explanation.chosen ?? explanation.chosen_by_interval[clock];
      expect(chosen.toSorted()).toEqual(picked);
      const cell = curve.find(({ timestamp }: { timestamp: string }) => timestamp === utc(interval[1]));
      expect(cell?.baseline_kw).toBeCloseTo(mine.curve[index] ?? Number.NaN, 9);
    }
    if (mine.raw === null) expect(explanation.adjustment).toBeNull();
    else {
      expect(explanation.adjustment.raw).toBeCloseTo(mine.raw, 9);
      expect(explanation.adjustment.applied).toBeCloseTo(mine.applied ?? Number.NaN, 9);
    }
    expectPerformance(site, meanOf(mine.curve) - building.mean(TUESDAY, START, END));
  });

  test("meter_before", async () => {
    const { site, explanation } = await measured("meter_before");
    const before = building.mean(TUESDAY, NOTIFIED - 15, NOTIFIED);
    expect(explanation.mean_kw).toBeCloseTo(before, 9);
    expectPerformance(site, before - building.mean(TUESDAY, START, END));
  });

  test("firm_service_level has no baseline without a reference, and counts the cells at or below its level", async () => {
    const { site } = await measured("firm_service_level");
    expect(site).toMatchObject({ baseline: "none", mean_reduction_kw: null });
    expect(site.compliance).toMatchObject({ cells_present: 480, cells_complying: 0 });
    expect(site.compliance?.excess_kwh).toBeCloseTo(building.mean(TUESDAY, START, END) * 4, 9);
  });
});
