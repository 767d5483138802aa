import { baselineOf, CELLS_PER_HOUR, firstCellOfHour, inputsOf, localTime, presets } from "@curtail/measure";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { BaselineTask } from "../../../src/performance/operations/baseline-task.js";
import { profileFrom } from "../../../src/performance/operations/load-profiles.js";
import type { DispatchToMeasure, ReadingRows, ReadRow } from "../../../src/performance/operations/measurement-ports.js";
import type { ProfileDays, ProfileSource } from "../../../src/performance/operations/profile-ports.js";
import { eventDaysOf, readBaseline } from "../../../src/performance/operations/site-baseline.js";
import { loadFrom } from "../../../src/telemetry/operations/site-load.js";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const methods = presets.flatMap(({ method }) => (method.kind === "days" ? [method] : []));

const scene = fc.record({
  method: fc.constantFrom(...methods),
  rulesVersion: fc.constantFrom(1 as const, 2 as const, 2 as const),
  timezone: fc.constantFrom("America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"),
  startMinute: fc.integer({ min: Date.parse("2026-03-01") / 60_000, max: Date.parse("2026-12-01") / 60_000 }),
  hours: fc.integer({ min: 1, max: 9 }),
  /** Days of history of each meter. */
  meters: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 3 }),
  /** Hours before the start, and how many minutes of them are missing. */
  gaps: fc.array(fc.tuple(fc.integer({ min: 0, max: 600 }), fc.constantFrom(5, 40, 60)), { maxLength: 8 }),
  otherHours: fc.integer({ min: 1, max: 200 }),
  /** Which days of eight have a profile. */
  profiled: fc.oneof(
    fc.constant(Array.from({ length: 8 }, () => true)),
    fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  ),
});
type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

const dispatchOf = ({ rulesVersion, timezone, startMinute, hours }: Scene): DispatchToMeasure => ({
  id: "dis_1",
  timezone,
  startMs: startMinute * 60_000,
  endMs: startMinute * 60_000 + hours * HOUR_MS,
  notificationMs: startMinute * 60_000 - HOUR_MS,
  cancelledMs: null,
  isVoid: false,
  modificationNumber: 0,
  rulesVersion,
  isSelfMade: false,
  baseline: null,
  holidays: [],
  statusLimits: null,
  sites: [],
});

const taskOf = (each: Scene): BaselineTask => {
  const dispatch = dispatchOf(each);
  const { startMs } = dispatch;
  const otherMs = startMs - each.otherHours * HOUR_MS;
  return {
    dispatch,
    method: each.method,
    history: {
      events: [{ id: "dis_0", siteId: "sit_1", startMs: otherMs, endMs: otherMs + HOUR_MS }],
      excludedDays: [],
    },
    meters: each.meters.map((_, meter) => ({ site: 1, meter })),
    reporting: new Set(each.meters.keys()),
    curve: { startMs: startMs - HOUR_MS, endMs: startMs + (each.hours + 1) * HOUR_MS },
  };
};

/** Every hour of the meters until the start, with its gaps. */
const rowsOf = ({ meters, startMinute, gaps }: Scene): ReadRow[] => {
  const startHour = Math.floor(startMinute / 60);
  return meters.flatMap((days, meter) =>
    Array.from({ length: days * DAY_HOURS }, (_, index) => {
      const hour = startHour - index;
      const cells = Float64Array.from({ length: CELLS_PER_HOUR }, (_each, place) => 50 + ((hour * 7 + place) % 23) / 3);
      for (const [at, minutes] of gaps) if (at === index) cells.fill(Number.NaN, 0, minutes * 2);
      return { site: 1, meter, hour, cells, rowVersion: "1", readingSeconds: 30 };
    }),
  );
};

/** A store that counts the hours and profiles that it answers. */
const storeOf = (rows: readonly ReadRow[], profiled: readonly boolean[] = []) => ({
  ...countingStore(rows),
  profilesRead: 0,
  async profiles(...asked: readonly ProfileDays[]) {
    return asked.map(({ source, days }) => {
      const found = days.filter((day) => profiled[day % 8] === true && isOver(day, source, rows));
      this.profilesRead += found.length;
      return new Map(found.map((day) => [day, profileFrom(rows, source, day)]));
    });
  },
});

/** Before the last hour with a row. */
const isOver = (day: number, { timezone }: ProfileSource, rows: readonly ReadRow[]): boolean =>
  localTime(timezone).startOf(day + 1) <= Math.max(...rows.map(({ hour }) => hour)) * 3600;

const countingStore = (rows: readonly ReadRow[]): Omit<ReadingRows, "profiles"> & { read: number } => ({
  read: 0,
  reporting: async (meters) => new Set(meters.map(({ meter }) => meter)),
  firstHours: async (meters) =>
    new Map(
      meters.map(({ meter }) => [meter, Math.min(...rows.filter((row) => row.meter === meter).map((row) => row.hour))]),
    ),
  async rows(...asked) {
    const isAsked = ({ meter, hour }: ReadRow) =>
      asked.some(
        ({ meters, periods }) =>
          meters.some((key) => key.meter === meter) && periods.some(({ from, to }) => hour >= from && hour <= to),
      );
    const found = rows.filter(isAsked);
    this.read += found.length;
    return found;
  },
});

const numbersOf = ({ baseline, counted }: Awaited<ReturnType<typeof readBaseline>>) => ({
  baseline: JSON.parse(
    JSON.stringify(baseline, (key, value) => (key === "energyKwh" || key === "missingIntervals" ? null : value)),
  ),
  counted,
});

test("a baseline from the hours that are used is that of whole days, and of all readings, and reads fewer", async () => {
  const seen = { used: 0, whole: 0 };
  await fc.assert(
    fc.asyncProperty(scene, async (each) => {
      const task = taskOf(each);
      const rows = rowsOf(each);
      const [store, wholeStore] = [storeOf(rows), storeOf(rows)];
      const used = await readBaseline(store, task, "used");
      const whole = await readBaseline(wholeStore, task, "whole");
      expect(numbersOf(used)).toEqual(numbersOf(whole));
      if (used.isWhole) expect(used).toEqual(whole);
      else expect(store.read).toBeLessThanOrEqual(wholeStore.read);
      if (used.isWhole) seen.whole += 1;
      else seen.used += 1;
      if (each.meters.length > 1) return;
      expect(whole.baseline).toEqual(ofAll(task, rows));
    }),
    { numRuns: propertyRuns(60, { atMost: 100 }) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(2);
}, 120_000);

test("a baseline from profiles of days is that of their readings, and reads fewer hours", async () => {
  const seen = { profiled: 0, partly: 0, read: 0, meters: 0, firstRules: 0 };
  await fc.assert(
    fc.asyncProperty(scene, fc.constantFrom("used", "whole"), async (each, extent) => {
      const task = taskOf(each);
      const rows = rowsOf(each);
      const [store, wholeStore] = [storeOf(rows, each.profiled), storeOf(rows)];
      const found = await readBaseline(store, task, extent);
      const whole = await readBaseline(wholeStore, task, "whole");
      if (found.isWhole) expect(found).toEqual(whole);
      else expect(numbersOf(found)).toEqual(numbersOf(whole));
      if (store.profilesRead === 0 || !found.isWhole) return void (seen.read += 1);
      expect(store.read).toBeLessThanOrEqual(wholeStore.read);
      seen[each.profiled.includes(false) ? "partly" : "profiled"] += 1;
      if (each.meters.length > 1) seen.meters += 1;
      if (each.rulesVersion === 1) seen.firstRules += 1;
    }),
    { numRuns: propertyRuns(80, { atMost: 150 }) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(2);
}, 120_000);

/** From all readings, whatever was needed of them. */
const ofAll = (task: BaselineTask, rows: readonly ReadRow[]) => {
  const { dispatch, method, history, curve, reporting } = task;
  const inputs = inputsOf(method, dispatch);
  if (inputs === null) throw new Error("a method of days uses load");
  const first = Math.min(...rows.map(({ hour }) => firstCellOfHour(hour)), Math.floor(inputs.fromMs / 30_000) + 1);
  const load = loadFrom(rows, reporting, { first, last: Math.ceil(inputs.toMs / 30_000) });
  return baselineOf(method, {
    load,
    dispatch,
    timezone: dispatch.timezone,
    holidays: dispatch.holidays,
    eventDays: eventDaysOf(history.events, dispatch.timezone),
    excludedDays: [],
    rulesVersion: dispatch.rulesVersion,
    otherEvents: history.events,
    curve,
  });
};
