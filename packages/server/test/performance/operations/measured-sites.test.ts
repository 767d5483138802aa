import { type Baseline, baselineOf, CELL_SECONDS, cellsTouching, flatSeries } from "@curtail/measure";
import { beforeEach, expect, test } from "vitest";
import { measuredSites, measuredSitesWith } from "../../../src/performance/operations/measured-sites.js";
import type { MeasurementPorts } from "../../../src/performance/operations/measurement-ports.js";
import { curvePeriod } from "../../../src/performance/operations/site-measurement.js";
import { methodOf } from "../../../src/portfolio/operations/baseline-method.js";
import { dispatchToMeasure, siteToMeasure } from "../../support/to-measure.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

// The first group has sixteen sites of one meter, each later one 48, and two groups are under way at once.
const startMs = Date.parse("2026-07-15T18:00:00Z");
const sites = Array.from({ length: 130 }, (_, index) => siteToMeasure(index));
const dispatch = dispatchToMeasure(startMs, sites);

/** Meters of the statements that began, each first meter by itself. */
let begun: number[];
let letGo: Map<number, () => void>;
let failing: number | null;
/** Statements that read hours. */
let rowsRead: number;

beforeEach(() => {
  begun = [];
  rowsRead = 0;
  letGo = new Map();
  failing = null;
});

/** A database that answers each first statement of a group when it is let go. */
const ports = (): MeasurementPorts => ({
  clock: { now: () => new Date(startMs) },
  reader: {
    otherEvents: async () => [],
    excludedDays: async () => new Map(),
    eventsOfSite: async () => [],
    findSite: async () => null,
    reporting: async (meters) => {
      const first = meters[0]?.meter ?? -1;
      begun.push(first);
      await new Promise<void>((resolve) => letGo.set(first, resolve));
      if (first === failing) throw new Error("the database is away");
      return new Set();
    },
    rows: async () => {
      rowsRead += 1;
      return [];
    },
    firstHours: async () => new Map(),
    profiles: async (...asked) => asked.map(() => new Map()),
    dispatchesStamp: async () => "1",
    knownStamp: () => "1",
    findDispatch: async () => null,
    changedRows: async () => [],
    archivedUntil: async () => new Map(),
    modifications: async () => new Map(),
    unfinished: async () => [],
  },
});

const release = async (first: number): Promise<void> => {
  await expect.poll(() => letGo.has(first)).toBe(true);
  letGo.get(first)?.();
};

test("the next group is read while one is computed, and sites come in their order whoever is read first", async () => {
  const measured: string[] = [];
  const done = (async () => {
    for await (const { site } of measuredSites(ports(), dispatch, sites)) measured.push(site.id);
  })();
  await expect.poll(() => begun).toEqual([0, 16]);
  await release(16);
  await release(0);
  await expect.poll(() => begun).toEqual([0, 16, 64, 112]);
  await release(112);
  await release(64);
  await done;
  expect(measured).toEqual(sites.map(({ id }) => id));
});

test("sites without a reporting meter read no look-back, and are explained as with a look-back of gaps", async () => {
  const measured: Baseline[] = [];
  const done = (async () => {
    for await (const { compared } of measuredSites(ports(), dispatch, sites)) measured.push(compared.baseline);
  })();
  for (const first of [0, 16, 64, 112]) await release(first);
  await done;
  // Of each group: the hours around the dispatch.
  expect(rowsRead).toBe(4);
  const terms = { timezone: "UTC", holidays: [], eventDays: [], excludedDays: [] };
  const gaps = cellsTouching({ startMs: startMs - 60 * DAY_MS, endMs: startMs + HOUR_MS }, CELL_SECONDS);
  const whole = baselineOf(methodOf(null), {
    ...terms,
    load: flatSeries(Number.NaN, gaps, CELL_SECONDS),
    dispatch,
    curve: curvePeriod(dispatch, startMs),
    otherEvents: [],
  });
  expect(measured).toEqual(Array.from({ length: sites.length }, () => whole));
});

test("1,000 sites with profiles take four statements for each 48 of them", async () => {
  const many = Array.from({ length: 1000 }, (_, index) => siteToMeasure(index));
  const called = dispatchToMeasure(startMs, many, { baseline: { preset: "ten_of_ten" } });
  const { clock, reader } = ports();
  let statements = 0;
  const counted: MeasurementPorts = {
    clock,
    reader: {
      ...reader,
      async reporting(meters) {
        statements += 1;
        return new Set(meters.map(({ meter }) => meter));
      },
      async rows() {
        statements += 1;
        return [];
      },
      async profiles(...asked) {
        statements += 1;
        const profile = { kw: new Float64Array(24).fill(100), hasReading: true };
        return asked.map(({ days }) => new Map(days.map((day) => [day, profile])));
      },
    },
  };
  const found: string[] = [];
  const measured = measuredSitesWith(counted, called, { sites: many, history: new Map(), extent: "used" });
  for await (const { compared } of measured) found.push(compared.baseline.state);
  expect(found).toEqual(many.map(() => "found"));
  // Of those that are read together: who reports, the hours around the dispatch, profiles, the hours of windows.
  expect(statements).toBeLessThanOrEqual(4 * (Math.ceil(1000 / 48) + 2));
});

test("a group that cannot be read ends the measuring after the sites before it", async () => {
  failing = 16;
  const measured: string[] = [];
  const done = (async () => {
    for await (const { site } of measuredSites(ports(), dispatch, sites)) measured.push(site.id);
  })();
  done.catch(() => {});
  await release(16);
  await release(0);
  await expect(done).rejects.toThrow("the database is away");
  expect(measured).toHaveLength(16);
});
