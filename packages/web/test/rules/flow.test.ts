import type { participantConsole } from "@curtail/contract";
import { expect, test } from "vitest";
import { directionOf, flowsOf, flowWords } from "../../src/rules/flow.js";

type Meter = participantConsole.SiteOverview["meters"][number];

const now = new Date("2026-06-10T18:00:00Z");
const meter = (asset_type: Meter["asset_type"], value: number, minutesAgo = 1): Meter => ({
  id: `mtr_${asset_type}_${value}`,
  name: asset_type,
  asset_type,
  last_reading: { timestamp: new Date(now.getTime() - minutesAgo * 60_000).toISOString(), value },
});
const words = (...meters: Meter[]) => flowsOf(meters, now)?.map(flowWords) ?? null;

test("a site without a generator or a battery has no flows", () => {
  expect(words(meter("load", 100), meter("poi", 100))).toBeNull();
});

test("what no meter measures is calculated from the others", () => {
  expect(words(meter("load", 494), meter("generator", -25))).toEqual([
    "Grid supplies 469 kW (calculated)",
    "Generation produces 25.0 kW",
    "Load uses 494 kW",
  ]);
  expect(words(meter("poi", -30), meter("generator", -100), meter("battery", 20))).toEqual([
    "Grid takes 30.0 kW",
    "Generation produces 100 kW",
    "Battery charges with 20.0 kW",
    "Load uses 50.0 kW (calculated)",
  ]);
});

test("meters of a kind are added up, and a silent one leaves its part and what follows unknown", () => {
  const flows = flowsOf([meter("load", 100), meter("generator", -10), meter("generator", -20, 16)], now);
  expect(flows).toMatchObject([
    { part: "grid", kw: null, isDerived: true },
    { part: "generation", kw: null },
    { part: "load", kw: 100 },
  ]);
  expect(flows?.map(directionOf)).toEqual(["none", "none", "out"]);
});

test("a battery that does nothing is idle", () => {
  expect(words(meter("poi", 60), meter("battery", 0.01), meter("load", 60))).toEqual([
    "Grid supplies 60.0 kW",
    "Battery is idle",
    "Load uses 60.0 kW",
  ]);
});
