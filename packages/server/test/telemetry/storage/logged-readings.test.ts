import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { LogBatch } from "../../../src/telemetry/storage/log-batch.js";
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
  meters: Int32Array.from({ length: count }, (_, nth) => (nth * 7 + seq) % METERS),
  lastCells: Int32Array.from({ length: count }, (_, nth) => nth),
  cellCounts: new Int32Array(count).fill(2),
  kw: Float64Array.from({ length: count }, (_, nth) => seq * 10_000 + nth),
});

const readingsOf = ({ xid, count, meters, kw }: LogBatch, meter: number) =>
  Array.from({ length: count }, (_, nth) => nth)
    .filter((nth) => meters[nth] === meter)
    .map((nth) => ({ xid, kw: kw[nth] }));

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
        const found = logged.ofMeter(meter, (xid) => xid >= logged.foldedBelow);
        const expected = kept.toSorted((a, b) => a.xid - b.xid).flatMap((batch) => readingsOf(batch, meter));
        expect(found.map(({ xid, kw }) => ({ xid, kw }))).toEqual(expected);
      }
    }),
    { numRuns: propertyRuns(50, { atMost: 300 }) },
  );
});

test("what was folded is forgotten", () => {
  const logged = new LoggedReadings();
  for (let seq = 1; seq <= 100; seq++) logged.add(batchOf(seq, seq, 1000));
  logged.dropBelow(91);
  expect([logged.count, logged.oldestMs, [...logged.meters()]]).toEqual([10_000, 91, [[0, 1, 2, 3, 4]]]);
  logged.dropBelow(101);
  expect([logged.count, logged.oldestMs, [...logged.meters()]]).toEqual([0, null, []]);
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
          const own = logged.ofMeter(meter, (xid) => xid >= foldedBelow);
          const last = Math.max(...own.map(({ lastCell }) => lastCell));
          if (cells[nth] === last) expect(kw[nth]).toBe(own.findLast(({ lastCell }) => lastCell === last)?.kw);
          newest.set(meter, cells[nth] ?? 0);
        }
      expect([...newest.keys()]).toEqual([...newest.keys()].toSorted((a, b) => a - b));
      for (const batch of all)
        for (const [nth, meter] of batch.meters.entries())
          if (batch.xid >= foldedBelow && newest.has(meter))
            expect(newest.get(meter)).toBeGreaterThanOrEqual(batch.lastCells[nth] ?? 0);
    }),
    { numRuns: propertyRuns(20, { atMost: 200 }) },
  );
});
