import { describe, expect, test } from "vitest";
import type { PowerChartProps } from "../../src/chart/curve.js";
import { readingAt, readingWords } from "../../src/chart/reading.js";

const at = (minute: number) => `2026-11-20T14:${String(minute).padStart(2, "0")}:00Z`;

const chart: PowerChartProps = {
  label: "Load",
  unit: "kW",
  timeZone: "America/Chicago",
  timestamps: [at(5), at(10), at(15), at(20)],
  curves: [
    {
      label: "Load",
      colour: "chart-1",
      values: [410, null, 408.04, null],
      quality: ["late", null, null, null],
      measured: true,
    },
    { label: "Baseline", colour: "chart-2", values: [500, 500, 500, 500], dashed: true },
  ],
  spans: [{ start: at(10), end: at(20), label: "Dispatch Capacity 2026" }],
};

const words = (index: number, hidden: readonly string[] = []) => {
  const reading = readingAt(chart, index, new Set(hidden));
  return reading === null ? null : [reading.time, readingWords(reading)];
};

const timed = (timestamps: readonly string[]) => readingAt({ ...chart, timestamps }, 1, new Set())?.time;

describe("the values at the cursor", () => {
  test("have the time of the page's zone, units, and what is special about a reading", () => {
    expect(words(0)).toEqual([
      expect.stringMatching(/^Fri 20 Nov( 2026)?, 08:05$/),
      "Load 410.0 kW, late; Baseline 500.0 kW",
    ]);
  });

  test("tell a gap from a reading that may still arrive", () => {
    expect(words(1)?.[1]).toBe("Load –, no readings; Baseline 500.0 kW");
    expect(words(3)?.[1]).toContain("Load –, not received yet");
  });

  test("name the dispatch of an interval, which begins after its start", () => {
    expect(words(1)?.[1]).not.toContain("Dispatch");
    expect(words(2)?.[1]).toContain("Dispatch Capacity 2026");
    expect(words(3)?.[1]).toContain("Dispatch Capacity 2026");
  });

  test("leave out hidden curves, and are none outside of the chart", () => {
    expect(words(2, ["Load"])?.[1]).toBe("Baseline 500.0 kW; Dispatch Capacity 2026");
    expect(words(4)).toBeNull();
  });

  test("have seconds within minutes, and the day itself for days, which end at midnight", () => {
    expect(timed(["2026-11-20T14:00:00Z", "2026-11-20T14:00:30Z"])).toMatch(/, 08:00:30$/);
    // The day before the clocks change has 24 hours, the day of the change 25.
    expect(timed(["2026-11-01T05:00:00Z", "2026-11-02T06:00:00Z"])).toMatch(/^Sun 1 Nov/);
  });
});
