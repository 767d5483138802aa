import { beforeEach, describe, expect, test } from "vitest";
import { sendPerformance } from "../../../../src/performance/http/performance-stream.js";
import { operatorPartToWire } from "../../../../src/performance/http/performance-streams.js";
import { operatorPerformanceToWire, operatorSiteToWire } from "../../../../src/performance/http/wire-performance.js";
import { LivePerformance } from "../../../../src/performance/operations/live/live-performance.js";
import { partOf } from "../../../../src/performance/operations/live/performance-part.js";
import type {
  DispatchToMeasure,
  MeasurementReader,
  ReadRow,
  TrackerPorts,
} from "../../../../src/performance/operations/measurement-ports.js";
import type { ServerEvent } from "../../../../src/platform/http/event-stream.js";
import { visibleToOperators } from "../../../../src/portfolio/operations/visible-sites.js";
import { dispatchToMeasure, siteToMeasure } from "../../../support/to-measure.js";

// What a page draws first of a large dispatch costs the same however many sites it has.
const startMs = Date.parse("2026-07-15T18:00:00Z");
const nowMs = startMs + 600_000;
/** Sites of the first group. */
const GROUP = 16;
/** For the dispatch, and for the two groups of sites that are read at once. */
const MOST_STATEMENTS = 16;

const dispatchOf = (count: number): DispatchToMeasure =>
  dispatchToMeasure(
    startMs,
    Array.from({ length: count }, (_, index) => siteToMeasure(index, { commitmentKw: 40 })),
    { baseline: { method: { kind: "meter_before", seconds: 900, anchor: "start" } } },
  );

/** 100 kW until the start, 60 kW afterwards. */
const rowOf = (meter: number, hour: number): ReadRow => ({
  site: meter,
  meter,
  hour,
  rowVersion: "1",
  readingSeconds: 30,
  cells: new Float64Array(120).fill(hour * 3_600_000 < startMs ? 100 : 60),
});

const onError = (error: unknown) => {
  throw error;
};

interface Stage {
  readonly live: LivePerformance;
  /** Statements so far. */
  readonly statements: () => number;
  /** Lets the groups after the first be read. */
  readonly letGo: () => void;
}

const stageOf = (sites: number, isFinal = false): Stage => {
  const dispatch = dispatchOf(sites);
  let statements = 0;
  let letGo: (() => void) | undefined;
  const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
  const counted =
    <A extends readonly unknown[], T>(answer: (...asked: A) => T) =>
    async (...asked: A): Promise<T> => {
      statements += 1;
      return answer(...asked);
    };
  const reader: MeasurementReader = {
    findDispatch: counted(() => dispatch),
    otherEvents: counted(() => []),
    excludedDays: counted(() => new Map()),
    reporting: async (meters) => {
      statements += 1;
      if ((meters[0]?.meter ?? 0) >= GROUP) await isLetGo;
      return new Set(meters.map(({ meter }) => meter));
    },
    rows: counted((...asked) =>
      asked.flatMap(({ meters, periods }) =>
        periods.flatMap(({ from, to }) =>
          meters.flatMap(({ meter }) =>
            Array.from({ length: to - from + 1 }, (_, index) => rowOf(meter, from + index)),
          ),
        ),
      ),
    ),
    firstHours: counted(() => new Map()),
    profiles: async (...asked) => asked.map(() => new Map()),
    dispatchesStamp: counted(() => "1"),
    knownStamp: () => "1",
    changedRows: counted(() => []),
    modifications: counted(() => new Map([["dis_1", 0]])),
    eventsOfSite: counted(() => []),
    findSite: counted(() => null),
    archivedUntil: counted(() => new Map()),
    unfinished: counted(() => []),
  };
  const version = {
    version: 1,
    at: new Date(nowMs),
    reason: "complete",
    isLate: false,
    actor: null,
    note: null,
    rulesVersion: 2,
  } as const;
  const ports: TrackerPorts = {
    reader,
    clock: { now: () => new Date(nowMs) },
    newId: (prefix) => `${prefix}_1`,
    late: { settledSince: async () => [] },
    store: { versions: async () => (isFinal ? [version] : []), results: async () => [] },
  };
  const live = new LivePerformance(ports, { onError, waitMs: 10, budgetBytes: 1e9 });
  return { live, statements: () => statements, letGo: () => letGo?.() };
};

let events: ServerEvent[];
beforeEach(() => {
  events = [];
});

const follow = ({ live }: Stage) => {
  const sink = { canTake: true, send: (event: ServerEvent) => void events.push(event), end: () => {} };
  const feed = sendPerformance(
    {
      live,
      dispatchId: "dis_1",
      toWire: (tracker, since) => {
        const whole = operatorPerformanceToWire(visibleToOperators(tracker.report()));
        return since === null ? whole : { ...whole, sites: tracker.changedSince(since).map(operatorSiteToWire) };
      },
      partToWire: (part, after) => operatorPartToWire(visibleToOperators(partOf(part)), after),
      lastEventId: undefined,
      log: { error: (...failed: unknown[]) => expect.unreachable(JSON.stringify(failed)) },
    },
    sink,
  );
  return {
    stop: () => {
      sink.canTake = false;
      feed.stop();
    },
  };
};

// oxlint-disable-next-line typescript/no-explicit-any -- each expectation is the check
const dataOf = (index: number): any => events[index]?.data;

test("the first numbers and curve take as many statements and bytes for 1,000 sites as for 100", async () => {
  const costs = [];
  for (const sites of [100, 1000]) {
    events = [];
    const stage = stageOf(sites);
    const feed = follow(stage);
    await expect.poll(() => events.length).toBe(1);
    // Those of the groups after the first wait, however long this takes.
    const statements = stage.statements();
    const first = dataOf(0);
    expect(events[0]?.name).toBe("preparing");
    expect(first).toMatchObject({ measured_sites: GROUP, sites });
    expect(first.performance.totals.now).toMatchObject({ sites: GROUP, reduction_kw: GROUP * 40 });
    expect(first.curve.some(({ reduction_kw }: { reduction_kw: number }) => reduction_kw === GROUP * 40)).toBe(true);
    expect(statements).toBeLessThanOrEqual(MOST_STATEMENTS);
    costs.push(JSON.stringify(first).length - String(sites).length);
    feed.stop();
    stage.letGo();
    await stage.live.stop();
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]).toBeLessThan(120_000);
});

test.each([GROUP, 40, 1000])(
  "of %i sites, each is sent once, in a few parts, before the snapshot of all",
  async (sites) => {
    const stage = stageOf(sites);
    const feed = follow(stage);
    stage.letGo();
    await expect.poll(() => events.at(-1)?.name, { timeout: 20_000 }).toBe("snapshot");
    const parts = events.slice(0, -1).map((_, index) => dataOf(index));
    expect(events.slice(0, -1).every(({ name }) => name === "preparing")).toBe(true);
    expect(parts.length).toBeLessThanOrEqual(7);
    expect(parts.length).toBeGreaterThanOrEqual(sites === GROUP ? 0 : 1);
    const sent = parts.flatMap(({ performance }) => performance.sites.map((site: { site_id: string }) => site.site_id));
    expect(sent).toEqual([...new Set(sent)]);
    for (const { measured_sites, performance } of parts) {
      expect(performance.totals.sites).toBe(measured_sites);
      expect(performance.totals.commitment_kw).toBe(40 * measured_sites);
    }
    expect(sent).toHaveLength(parts.at(-1)?.measured_sites ?? 0);
    expect(dataOf(events.length - 1).sites).toHaveLength(sites);
    feed.stop();
    await stage.live.stop();
  },
);

describe("of a dispatch with a final result", () => {
  test("nothing is shown that was measured otherwise", async () => {
    const stage = stageOf(100, true);
    const feed = follow(stage);
    stage.letGo();
    await expect.poll(() => events.length).toBe(1);
    expect(events[0]?.name).toBe("snapshot");
    feed.stop();
    await stage.live.stop();
  });
});
