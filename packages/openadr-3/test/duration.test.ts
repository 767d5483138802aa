import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDuration, parseDuration } from "../src/index.js";

const added = (at: string, duration: string): string | undefined => {
  const parsed = parseDuration(duration);
  if (parsed === null) throw new Error(`${duration} is not a duration`);
  return addDuration(new Date(at), parsed)?.toISOString();
};

describe("a duration", () => {
  test("counts years and months by the calendar, and days as 24 hours", () => {
    expect(added("2027-01-31T12:00:00Z", "P1M")).toBe("2027-02-28T12:00:00.000Z");
    expect(added("2028-02-29T00:00:00Z", "P1Y")).toBe("2029-02-28T00:00:00.000Z");
    expect(added("2026-07-01T00:00:00Z", "P2W")).toBe("2026-07-15T00:00:00.000Z");
    expect(added("2026-07-01T00:00:00Z", "P1Y2M3DT4H5M6.5S")).toBe("2027-09-04T04:05:06.500Z");
  });

  test("may be negative", () => {
    expect(added("2026-03-31T00:00:00Z", "-P1M")).toBe("2026-02-28T00:00:00.000Z");
    expect(added("2026-07-01T00:00:00Z", "-PT90S")).toBe("2026-06-30T23:58:30.000Z");
  });

  test("beyond the year 9999 is endless", () => {
    expect(added("2026-07-01T00:00:00Z", "P9999Y")).toBeUndefined();
    expect(added("0001-01-01T00:00:00Z", "P9999Y")).toBeUndefined();
    expect(added("2026-07-01T00:00:00Z", `P${"9".repeat(40)}Y`)).toBeUndefined();
    expect(added("2026-07-01T00:00:00Z", `PT${"9".repeat(40)}S`)).toBeUndefined();
  });

  test("of another form is none", () => {
    for (const text of ["", "P", "PT", "1H", "P1H", "PT1.5H", "P1Y1W1D"]) expect(parseDuration(text)).toBeNull();
  });

  test("of seconds adds as many", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (seconds) => {
        expect(added("2026-07-01T00:00:00Z", `PT${seconds}S`)).toBe(
          new Date(Date.UTC(2026, 6, 1) + seconds * 1000).toISOString(),
        );
      }),
    );
  });
});
