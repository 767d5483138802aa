import { assert, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  moved,
  overlapping,
  scaled,
  scaledAt,
  type TimeRange,
  within,
  zoomOf,
  zoomText,
} from "../../src/chart/zoom.js";

const whole = { min: 1000, max: 2000 };

/** What an address keeps of a range. */
const kept = (range: TimeRange, all: TimeRange): TimeRange | null => {
  const cut = within(range, all);
  return cut && zoomOf(zoomText(cut));
};

describe("a zoom", () => {
  test("is read from the address as it was written", () => {
    expect(zoomOf(zoomText({ min: 1200.4, max: 1500.6 }))).toEqual({ min: 1200, max: 1501 });
  });

  test.for(["", "1", "5..5", "9..3", "1..2..3", "-1..5", "1e3..2e3", "1..999999999999", "a..b"])(
    "is none in %s",
    (text) => {
      expect(zoomOf(text)).toBeNull();
    },
  );

  test("of another day leaves a chart as it is", () => {
    expect(overlapping({ min: 0, max: 1000 }, whole)).toBeNull();
    expect(overlapping({ min: 2000, max: 3000 }, whole)).toBeNull();
    expect(overlapping({ min: 1900, max: 3000 }, whole)).toEqual({ min: 1900, max: 3000 });
    expect(overlapping(null, whole)).toBeNull();
  });

  test("in, to an earlier time and out shows all again, though addresses round it", () => {
    assert(
      property(integer({ min: 0, max: 2_000_000_000 }), integer({ min: 240, max: 1_000_000 }), (min, length) => {
        const all = { min, max: min + length };
        const closer = kept(scaled(all, 0.5), all);
        const earlier = closer && kept(moved(closer, -0.5), all);
        expect(earlier && kept(scaled(earlier, 2), all)).toBeNull();
        expect(closer).not.toBeNull();
      }),
    );
  });

  test("by the wheel keeps the moment under the pointer", () => {
    expect(scaledAt(whole, 1250, 0.5)).toEqual({ min: 1125, max: 1625 });
  });
});
