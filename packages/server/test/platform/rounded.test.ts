import { describe, expect, test } from "vitest";
import { rounded } from "../../src/platform/rounded.js";

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("a computed number is answered without rounding noise", () => {
  test.for([
    [405.799_999_999_999_95, 405.8],
    [0.1 + 0.2, 0.3],
    [meanOf(Array.from({ length: 10 }, () => 405.8)), 405.8],
    // A difference of large numbers has their noise.
    [400.1 - 399.9, 0.2],
    [400.1 - 400.1 - Number.EPSILON, 0],
    [-405.799_999_999_999_95, -405.8],
    [1_234_567.800_000_000_3, 1_234_567.8],
    [2 / 3, 0.666_666_666_7],
  ] as const)("%f is %f", ([computed, answered]) => {
    expect(rounded(computed)).toBe(answered);
  });

  test("sums of two hundred sites of any size", () => {
    for (const each of [0.1, 12.3, 405.8, 99_999.9]) {
      const sum = Array.from({ length: 200 }, () => each).reduce((so_far, kw) => so_far + kw, 0);
      expect(rounded(sum)).toBe(Number((each * 200).toPrecision(12)));
    }
  });

  test("what has no decimals to remove stays, and what is unknown too", () => {
    for (const value of [0, 1, -7, 412.5, 1e13, 9e15, 1e300, Number.POSITIVE_INFINITY, null])
      expect(rounded(value)).toBe(value);
    expect(rounded(Number.NaN)).toBeNaN();
  });
});
