import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DamagedBytes } from "../../../src/telemetry/domain/bytes.js";
import { decodeColumns, encodeColumns, type LoggedColumns } from "../../../src/telemetry/storage/log-batch.js";

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };
const reading = fc.tuple(
  fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer(INT32)),
  fc.oneof(fc.integer({ min: 57_000_000, max: 57_000_100 }), fc.integer(INT32)),
  fc.oneof(fc.constant(2), fc.integer({ min: 1, max: 120 })),
  fc.oneof(
    fc.integer({ min: -5_000_000, max: 5_000_000 }).map((watts) => watts / 1000),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, -0),
  ),
);

const columnsOf = (readings: ReadonlyArray<readonly [number, number, number, number]>): LoggedColumns => ({
  count: readings.length,
  series: Int32Array.from(readings, ([series]) => series),
  lastCells: Int32Array.from(readings, ([, lastCell]) => lastCell),
  cellCounts: Int32Array.from(readings, ([, , cellCount]) => cellCount),
  values: Float64Array.from(readings, ([, , , value]) => value),
});

const watts = (nth: number): number => ((nth * 7919) % 20_000) / 1000;

const bytesPerReading = (series: readonly number[], valueOf: (nth: number) => number): number =>
  encodeColumns(columnsOf(series.map((each, nth) => [each, 57_000_000, 2, valueOf(nth)]))).length / series.length;

test("a batch of the log is read as it was written, to the bit", () => {
  fc.assert(
    fc.property(fc.array(reading, { minLength: 1, maxLength: 200 }), (readings) => {
      const columns = columnsOf(readings);
      const read = decodeColumns(readings.length, encodeColumns(columns));
      expect(read).toEqual(columns);
      expect(read.values.every((value, nth) => Object.is(value, columns.values[nth]))).toBe(true);
    }),
    { numRuns: propertyRuns(300) },
  );
});

test("a reading in watts takes four bytes, one of any number ten, and meters in no order two more", () => {
  const meters = Array.from({ length: 1000 }, (_, nth) => nth + 40_000);
  const inNoOrder = meters.map((_, nth) => 40_000 + ((nth * 7919) % 1000));
  expect(bytesPerReading(meters, watts)).toBeLessThan(4.1);
  expect(bytesPerReading(meters, Math.sin)).toBeLessThan(10);
  expect(bytesPerReading(inNoOrder, watts)).toBeLessThan(6);
});

test("bytes that are not those of a batch are refused", () => {
  const bytes = encodeColumns(columnsOf([[7, 57_000_000, 2, 1.5]]));
  for (const damaged of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.of(0)]), Buffer.of(9, ...bytes)])
    expect(() => decodeColumns(1, damaged)).toThrow(DamagedBytes);
});
