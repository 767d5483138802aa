import { expect, test } from "vitest";
import { divided, rescale, textOf, unitsOf, unitsOfNumber } from "../../../src/settlement/domain/decimal.js";

test("a decimal number becomes units of a scale, rounded half away from zero", () => {
  expect(unitsOf("1.005", 2)).toBe(101n);
  expect(unitsOf("1.0049999999999999999999", 2)).toBe(100n);
  expect(unitsOf("-1.005", 2)).toBe(-101n);
  expect(unitsOf("-0.004", 2)).toBe(0n);
  expect(unitsOf("12", 3)).toBe(12_000n);
});

test("a measured number counts as it is written, not as the processor has it", () => {
  // In binary it is 1.00499999999999989….
  expect(unitsOfNumber(1.005, 2)).toBe(101n);
  expect(unitsOfNumber(0.1 + 0.2, 3)).toBe(300n);
  expect(unitsOfNumber(1e-7, 3)).toBe(0n);
  expect(unitsOfNumber(5e-4, 3)).toBe(1n);
  expect(unitsOfNumber(1.5e21, 0)).toBe(1_500_000_000_000_000_000_000n);
  expect(unitsOfNumber(-0, 3)).toBe(0n);
});

test("what is no decimal number is refused", () => {
  for (const text of ["", "1,5", "0x10", "NaN", "1.", "--1"]) expect(() => unitsOf(text, 2), text).toThrow(RangeError);
});

test("units are written with all places", () => {
  expect(textOf(101n, 2)).toBe("1.01");
  expect(textOf(-5n, 2)).toBe("-0.05");
  expect(textOf(0n, 3)).toBe("0.000");
  expect(textOf(-1200n, 0)).toBe("-1200");
});

test("quotients and coarser scales round half away from zero", () => {
  expect([divided(1n, 2n), divided(-1n, 2n), divided(-4n, 3n), divided(5n, 3n)]).toEqual([1n, -1n, -1n, 2n]);
  expect([rescale(15n, 1, 0), rescale(-15n, 1, 0), rescale(14n, 1, 0), rescale(2n, 0, 3)]).toEqual([
    2n,
    -2n,
    1n,
    2000n,
  ]);
});
