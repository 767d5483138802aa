import { describe, expect, test } from "vitest";
import { gapSeconds, gapsOf } from "../../src/chart/gaps.js";

describe("gaps of a measured curve", () => {
  test("begin with the last value before them and end with their last interval", () => {
    expect(gapsOf([30, 60, 90, 120, 150], [1, null, null, 4, 5])).toEqual([{ min: 30, max: 90 }]);
  });

  test("include the time before the first value, but not what may still arrive", () => {
    expect(gapsOf([30, 60, 90, 120], [null, 2, null, null])).toEqual([{ min: 0, max: 30 }]);
  });

  test("are none without any value", () => {
    expect(gapsOf([30, 60], [null, null])).toEqual([]);
    expect(gapsOf([], [])).toEqual([]);
  });

  test("are summed", () => {
    const gaps = gapsOf([30, 60, 90, 120, 150], [1, null, 3, null, 5]);
    expect(gaps).toHaveLength(2);
    expect(gapSeconds(gaps)).toBe(60);
  });
});
