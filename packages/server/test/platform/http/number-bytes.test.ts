import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeNumber } from "../../../src/telemetry/http/wire-number-bytes.js";

const written = (value: number): string => {
  const buffer = Buffer.alloc(40);
  return buffer.toString("latin1", 0, writeNumber(buffer, 0, value));
};

describe("a number in a telemetry reply", () => {
  test.each([
    [0, "0"],
    [-0, "0"],
    [12.5, "12.5"],
    [-0.0001, "-0.0001"],
    [10, "10"],
    [1_000_000.1234, "1000000.1234"],
    [0.00001, "0.00001"],
    [1e-7, "1e-7"],
    [1e21, "1e+21"],
    [1 / 3, "0.3333333333333333"],
  ])("%d is written %s", (value, text) => {
    expect(written(value)).toBe(text);
  });

  test("reads back as itself, whatever it is", () => {
    const anything = fc.double({ noNaN: true, noDefaultInfinity: true });
    const fromMeters = fc.integer({ min: -1e11, max: 1e11 }).map((parts) => parts / 10_000);
    fc.assert(
      fc.property(fc.oneof(anything, fromMeters), (value) => JSON.parse(written(value)) === (value === 0 ? 0 : value)),
    );
  });
});
