import { describe, expect, test } from "vitest";
import { impossibleTime, NOW, parseTime, withFullTimes } from "../src/index.js";

describe("a moment", () => {
  test("has an offset, or is one of the forms of now", () => {
    expect(parseTime("2026-07-01T18:00:00.5+02:00")).toEqual(new Date("2026-07-01T16:00:00.500Z"));
    for (const now of ["0001-01-01", "0001-01-01T00:00:00", NOW]) expect(parseTime(now)).toEqual(new Date(NOW));
  });

  test("on a day that does not exist is none", () => {
    expect(parseTime("2026-02-29T00:00:00Z")).toBeNull();
    expect(parseTime("2028-02-29T00:00:00Z")).toEqual(new Date("2028-02-29T00:00:00Z"));
    expect(parseTime("1900-02-29T00:00:00Z")).toBeNull();
    expect(parseTime("2026-06-31T00:00:00Z")).toBeNull();
    expect(parseTime("0000-06-30T00:00:00Z")).toBeNull();
  });

  test("that does not exist is found wherever it is in a request", () => {
    const fine = { intervalPeriod: { start: NOW } };
    expect(impossibleTime(fine)).toBeNull();
    const wrong = { intervals: [fine, { intervalPeriod: { start: "2026-02-30T00:00:00Z" } }] };
    expect(impossibleTime(wrong)).toBe("intervals[1].intervalPeriod.start");
  });

  test("of a short form is completed, and nothing else changes", () => {
    const given = {
      name: "0001-01-01",
      intervals: [{ id: 0, intervalPeriod: { start: "0001-01-01", duration: "PT1H" } }],
    };
    expect(withFullTimes(given)).toEqual({
      name: "0001-01-01",
      intervals: [{ id: 0, intervalPeriod: { start: NOW, duration: "PT1H" } }],
    });
  });
});
