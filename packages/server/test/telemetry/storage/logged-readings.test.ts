import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { kindOf, type LogBatch, type LoggedKind, meterOf, seriesOf } from "../../../src/telemetry/storage/log-batch.js";
import { LogOverlay, markOf } from "../../../src/telemetry/storage/log-overlay.js";
import { LoggedReadings } from "../../../src/telemetry/storage/logged-readings.js";

const METERS = 5;

/** Numbers of transactions, as they become known: mostly in their order. */
const batches = fc.array(
  fc.record({
    xid: fc.integer({ min: 1, max: 40 }),
    count: fc.constantFrom(1, 7, 3000),
    foldedBelow: fc.option(fc.nat(40)),
  }),
  { maxLength: 30 },
);

const batchOf = (seq: number, xid: number, count: number): LogBatch => ({
  seq,
  xid,
  atMs: seq,
  count,
  series: Int32Array.from({ length: count }, (_, nth) => (nth * 7 + seq) % METERS),
  lastCells: Int32Array.from({ length: count }, (_, nth) => nth),
  cellCounts: new Int32Array(count).fill(2),
  values: Float64Array.from({ length: count }, (_, nth) => seq * 10_000 + nth),
});

const readingsOf = ({ xid, count, series, values }: LogBatch, meter: number) =>
  Array.from({ length: count }, (_, nth) => nth)
    .filter((nth) => series[nth] === meter)
    .map((nth) => ({ xid, value: values[nth] }));

test("a meter has what was added and is not folded, in the order of transactions, however much was dropped before", () => {
  fc.assert(
    fc.property(batches, (added) => {
      const logged = new LoggedReadings();
      let kept: LogBatch[] = [];
      for (const [seq, { xid, count, foldedBelow }] of added.entries()) {
        const batch = batchOf(seq, Math.max(xid, logged.foldedBelow), count);
        logged.add(batch);
        logged.add(batch);
        kept.push(batch);
        if (foldedBelow !== null) logged.dropBelow(foldedBelow);
        kept = kept.filter((each) => each.xid >= logged.foldedBelow);
      }
      for (let meter = 0; meter < METERS; meter++) {
        const found = logged.ofSeries(meter, (xid) => xid >= logged.foldedBelow);
        const expected = kept.toSorted((a, b) => a.xid - b.xid).flatMap((batch) => readingsOf(batch, meter));
        expect(found.map(({ xid, value }) => ({ xid, value }))).toEqual(expected);
      }
    }),
    { numRuns: propertyRuns(50, { atMost: 300 }) },
  );
});

const cell = fc.integer({ min: 0, max: 60 });
/** Readings of a few cells, each batch in any order of cells. */
const scattered = fc.array(
  fc.record({
    xid: fc.integer({ min: 1, max: 6 }),
    readings: fc.array(fc.tuple(fc.nat(1), cell, fc.integer({ min: 1, max: 8 })), { minLength: 1, maxLength: 6 }),
  }),
  { maxLength: 12 },
);

const loggedOf = (
  added: ReadonlyArray<{ xid: number; readings: ReadonlyArray<readonly [number, number, number]> }>,
) => {
  const logged = new LoggedReadings();
  for (const [seq, { xid, readings }] of added.entries())
    logged.add({
      seq,
      xid,
      atMs: seq,
      count: readings.length,
      series: Int32Array.from(readings, ([series]) => series),
      lastCells: Int32Array.from(readings, ([, last]) => last),
      cellCounts: Int32Array.from(readings, ([, , cells]) => cells),
      values: Float64Array.from(readings, (_, nth) => seq * 10 + nth),
    });
  return logged;
};

test("a series is asked from a cell on, and for its newest reading, as if all were looked at", () => {
  fc.assert(
    fc.property(scattered, fc.nat(7), cell, (added, above, first) => {
      const logged = loggedOf(added);
      const isWanted = (xid: number) => xid !== above;
      for (const series of [0, 1]) {
        const all = logged.ofSeries(series, isWanted);
        const found = logged.places(series, isWanted, first).map((place) => logged.at(place));
        const isLate = ({ lastCell }: { lastCell: number }) => lastCell >= first;
        expect(found.filter(isLate)).toEqual(all.filter(isLate));
        const newest = Math.max(...all.map(({ lastCell }) => lastCell));
        expect(logged.newestOf(series, isWanted)).toEqual(all.findLast(({ lastCell }) => lastCell === newest));
      }
    }),
    { numRuns: propertyRuns(200) },
  );
});

test("what one transaction after the other appended is not looked through beyond the cell that is asked for", () => {
  const added = Array.from({ length: 60 }, (_, nth) => ({ xid: nth + 1, readings: [[0, 2 * nth + 1, 2]] as const }));
  const logged = loggedOf(added);
  let looked = 0;
  const isWanted = () => ++looked > 0;
  expect(logged.places(0, isWanted, 100)).toHaveLength(10);
  expect(logged.newestOf(0, isWanted)?.lastCell).toBe(119);
  expect(looked).toBe(11);
});

test("what transactions began to append before a time is before the first that began later", () => {
  fc.assert(
    fc.property(scattered, fc.nat(12), (added, untilMs) => {
      const end = loggedOf(added).endOfBegunBefore(untilMs);
      const [earlier, later] = [added.slice(0, untilMs), added.slice(untilMs)];
      expect(end).toBe(Math.min(...later.map(({ xid }) => xid)));
      if (earlier.every(({ xid }) => later.every((each) => each.xid > xid)))
        expect(earlier.every(({ xid }) => xid < end)).toBe(true);
    }),
    { numRuns: propertyRuns(50) },
  );
});

const oneOf = (xid: number, lastCell: number): LogBatch => ({
  seq: xid,
  xid,
  atMs: xid,
  count: 1,
  series: Int32Array.of(1),
  lastCells: Int32Array.of(lastCell),
  cellCounts: Int32Array.of(1),
  values: Float64Array.of(xid),
});

/** What sees everything. */
const LATEST = { xmin: 100, xmax: 100, open: new Set<number>() };

test("the mark of an hour differs once what was appended late takes the place of what is folded", () => {
  const logged = new LoggedReadings();
  const markNow = (foldedBelow: number) => new LogOverlay(logged, LATEST, foldedBelow).mark(1, 0);
  for (const batch of [oneOf(50, 7), oneOf(61, 9)]) logged.add(batch);
  const before = markNow(0);
  logged.dropBelow(60);
  logged.add(oneOf(60, 8));
  expect(before).not.toBeNull();
  expect(markNow(60)).not.toBe(before);
  expect(markNow(60)).toBe(markOf(new LogOverlay(logged, LATEST, 60).hours(1, [{ from: 0, to: 0 }])[0]));
});

test("a folded reading that a later one was heard of before is no newest one", () => {
  const logged = new LoggedReadings();
  for (const batch of [oneOf(20, 5), oneOf(10, 9)]) logged.add(batch);
  logged.dropBelow(15);
  expect([...logged.newestReadings([1])].flatMap(({ meters }) => [...meters])).toEqual([]);
  expect([logged.hasBelow(15), logged.hasBelow(20), logged.hasBelow(21)]).toEqual([false, false, true]);
});

test("what was folded is forgotten", () => {
  const logged = new LoggedReadings();
  for (let seq = 1; seq <= 100; seq++) logged.add(batchOf(seq, seq, 1000));
  logged.dropBelow(91);
  expect([logged.count, logged.oldestMs, [...logged.series()]]).toEqual([10_000, 91, [[0, 1, 2, 3, 4]]]);
  logged.dropBelow(101);
  expect([logged.count, logged.oldestMs, [...logged.series()]]).toEqual([0, null, []]);
});

test("whole transactions are its oldest, until there are as many readings as may be", () => {
  fc.assert(
    fc.property(batches, fc.integer({ min: 1, max: 10_000 }), (added, most) => {
      const logged = new LoggedReadings();
      const all = added.map(({ xid, count }, seq) => batchOf(seq, xid, count));
      for (const batch of all) logged.add(batch);
      const before = (end: number) => all.filter(({ xid }) => xid < end).reduce((sum, { count }) => sum + count, 0);
      const end = logged.endOfOldest(most);
      const shorter = all.map(({ xid }) => xid).filter((xid) => xid < end);
      if (end < Number.POSITIVE_INFINITY) expect(before(end)).toBeGreaterThanOrEqual(most);
      if (shorter.length > 0) expect(before(Math.max(...shorter))).toBeLessThan(most);
    }),
    { numRuns: propertyRuns(50, { atMost: 300 }) },
  );
});

test("each meter has its newest reading, the last one where a cell was sent again", () => {
  fc.assert(
    fc.property(batches, fc.nat(40), (added, foldedBelow) => {
      const logged = new LoggedReadings();
      const all = added.map(({ xid, count }, seq) => batchOf(seq, seq + 1 + (xid % 3), count));
      for (const batch of all) logged.add(batch);
      logged.dropBelow(foldedBelow);
      const newest = new Map<number, number>();
      for (const { meters, cells, kw } of logged.newestReadings(null))
        for (const [nth, meter] of meters.entries()) {
          const own = logged.ofSeries(meter, (xid) => xid >= foldedBelow);
          const last = Math.max(...own.map(({ lastCell }) => lastCell));
          if (cells[nth] === last) expect(kw[nth]).toBe(own.findLast(({ lastCell }) => lastCell === last)?.value);
          newest.set(meter, cells[nth] ?? 0);
        }
      expect([...newest.keys()]).toEqual([...newest.keys()].toSorted((a, b) => a - b));
      for (const batch of all)
        for (const [nth, meter] of batch.series.entries())
          if (batch.xid >= foldedBelow && newest.has(meter))
            expect(newest.get(meter)).toBeGreaterThanOrEqual(batch.lastCells[nth] ?? 0);
    }),
    { numRuns: propertyRuns(20, { atMost: 200 }) },
  );
});

test("states of charge are apart from the powers of their meters, and no newest reading", () => {
  const logged = new LoggedReadings();
  const [lastCells, cellCounts] = [Int32Array.of(7, 9, 9), Int32Array.of(1, 1, 1)];
  const series = Int32Array.of(3000, seriesOf("charge", 3000), seriesOf("charge", 1));
  logged.add({
    seq: 1,
    xid: 1,
    atMs: 1,
    count: 3,
    series,
    lastCells,
    cellCounts,
    values: Float64Array.of(10, 500, 20),
  });
  const valuesOf = (kind: LoggedKind, meter: number) =>
    logged.ofSeries(seriesOf(kind, meter), () => true).map(({ value }) => value);
  expect([valuesOf("power", 3000), valuesOf("charge", 3000), valuesOf("charge", 1)]).toEqual([[10], [500], [20]]);
  expect(valuesOf("power", 1)).toEqual([]);
  expect([...logged.newestReadings(null)].flatMap(({ meters }) => [...meters])).toEqual([3000]);
  expect([...logged.newestReadings([1, 3000])].flatMap(({ kw }) => [...kw])).toEqual([10]);
  expect([...logged.series()].flat().map((each) => [kindOf(each), meterOf(each)])).toEqual([
    ["charge", 3000],
    ["charge", 1],
    ["power", 3000],
  ]);
});
