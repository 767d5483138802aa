import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DamagedBytes } from "../../../src/telemetry/domain/bytes.js";
import { packCells, unpackCells } from "../../../src/telemetry/domain/day-cells.js";
import { CELLS_PER_DAY } from "../../../src/telemetry/domain/day-slots.js";

const packed = packCells(
  Float64Array.from({ length: CELLS_PER_DAY }, (_, cell) => (cell % 9 === 8 ? Number.NaN : cell / 10)),
);

/** The day of some bytes, or null if they are refused. */
const unpacked = (bytes: Uint8Array): Float64Array | null => {
  try {
    return unpackCells(bytes);
  } catch (error) {
    if (error instanceof DamagedBytes) return null;
    throw error;
  }
};

test("any bytes are a whole day or refused as damaged", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect([undefined, CELLS_PER_DAY]).toContain(unpacked(bytes)?.length);
    }),
    { numRuns: propertyRuns(800) },
  );
});

test("a day with another byte is a whole day or refused as damaged", () => {
  fc.assert(
    fc.property(fc.nat(packed.length - 1), fc.nat(255), (at, byte) => {
      const other = packed.slice();
      other[at] = byte;
      expect([undefined, CELLS_PER_DAY]).toContain(unpacked(other)?.length);
    }),
    { numRuns: propertyRuns(500) },
  );
});

test("bytes that are missing or left over are refused", () => {
  expect(() => unpackCells(packed.subarray(0, -1))).toThrow(DamagedBytes);
  expect(() => unpackCells(Uint8Array.of(...packed, 0))).toThrow(DamagedBytes);
  expect(unpackCells(packed)[7]).toBe(0.7);
});
