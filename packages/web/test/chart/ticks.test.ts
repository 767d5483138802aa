import { describe, expect, test } from "vitest";
import { tickWords } from "../../src/chart/ticks.js";

const CHICAGO = "America/Chicago";
const seconds = (iso: string) => Date.parse(iso) / 1000;

describe("the time axis", () => {
  test("names the day once, and again after midnight of the chart's zone", () => {
    const ticks = ["2026-11-20T05:00:00Z", "2026-11-20T06:00:00Z", "2026-11-20T07:00:00Z"].map(seconds);
    const words = tickWords(ticks, 3600, CHICAGO).map((each) => each.split("\n").length);
    expect(words).toEqual([2, 2, 1]);
  });

  test("has days and months where clocks would say nothing", () => {
    const midnight = seconds("2026-11-20T06:00:00Z");
    expect(tickWords([midnight], 86_400, CHICAGO)[0]).toMatch(/20/);
    expect(tickWords([midnight], 31 * 86_400, CHICAGO)[0]).toMatch(/Nov.*2026/);
  });
});
