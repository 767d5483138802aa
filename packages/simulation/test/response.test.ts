import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FLEET_SITES, fleetOf } from "../src/fleet.js";
import { type Battery, batteryStep } from "../src/load/battery.js";
import { momentsIn } from "../src/load/moment.js";
import { depthAt, reboundAt } from "../src/load/response.js";
import { simulatorOf } from "../src/load/simulator.js";

const NOON = Date.UTC(2026, 6, 1, 18);
const response = { delaySeconds: 60, rampSeconds: 120, delivers: 1 };
const call = { heardMs: NOON - 600_000, startMs: NOON, endMs: NOON + 3_600_000 };
const depth = (seconds: number, than: Partial<typeof call> = {}) =>
  depthAt([{ ...call, ...than }], response, NOON + seconds * 1000);

describe("a site that is called", () => {
  test("waits, comes down over its ramp, holds, and is back a minute after the end", () => {
    expect([-1, 0, 59, 60, 120, 180, 3600].map((seconds) => depth(seconds))).toEqual([0, 0, 0, 0, 0.5, 1, 1]);
    expect([3630, 3660, 7200].map((seconds) => depth(seconds))).toEqual([0.5, 0, 0]);
  });

  test("begins its delay when it learns of a running dispatch, and continues without an end", () => {
    const late = { heardMs: NOON + 600_000, endMs: Number.POSITIVE_INFINITY };
    expect([600, 660, 720, 780, 1e7].map((seconds) => depth(seconds, late))).toEqual([0, 0, 0.5, 1, 1]);
  });

  test("does nothing for a dispatch that was over or cancelled before it learned of it", () => {
    for (const endMs of [NOON - 1, Number.NEGATIVE_INFINITY]) {
      expect([-700, 0, 300, 4000].map((seconds) => depth(seconds, { endMs }))).toEqual([0, 0, 0, 0]);
    }
    expect(reboundAt([{ ...call, endMs: Number.NEGATIVE_INFINITY }], NOON)).toBe(0);
  });

  test("is never deeper down than all the way, whatever calls meet", () => {
    const calls = fc.array(
      fc.record({ heardMs: fc.integer(), startMs: fc.integer(), endMs: fc.oneof(fc.integer(), fc.constant(Infinity)) }),
    );
    fc.assert(
      fc.property(calls, fc.integer(), (calls, atMs) => {
        for (const share of [depthAt(calls, response, atMs), reboundAt(calls, atMs)]) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

test("a battery holds what went in less what came out, never less than nothing nor more than fits", () => {
  const momentAt = momentsIn("America/Chicago");
  const battery: Battery = { ratedKw: 500, capacityKwh: 1400 };
  const steps = fc.array(
    fc.record({
      hours: fc.constantFrom(1 / 120, 1 / 12, 3),
      depth: fc.constantFrom(0, 0, 0.3, 1),
      at: fc.integer({ min: 0, max: 1e12 }),
    }),
  );
  fc.assert(
    fc.property(steps, fc.double({ min: 0, max: 1400, noNaN: true }), (steps, first) => {
      let energyKwh = first;
      for (const { hours, depth, at } of steps) {
        const step = batteryStep(battery, energyKwh, { moment: momentAt(at), hours, depth });
        expect(step.energyKwh).toBeCloseTo(energyKwh + step.powerKw * hours, 6);
        expect(Math.abs(step.powerKw)).toBeLessThanOrEqual(500);
        energyKwh = step.energyKwh;
        expect(energyKwh).toBeGreaterThanOrEqual(0);
        expect(energyKwh).toBeLessThanOrEqual(1400);
      }
    }),
  );
});

const powerOf = (code: string, calls: readonly (typeof call)[], endMs = NOON + 1_800_000): number => {
  const site = fleetOf(FLEET_SITES).find((each) => each.code === code);
  if (site === undefined) throw new Error(`the fleet has no ${code}`);
  return simulatorOf(site)({ endMs, seconds: 30 }, calls).reduce((sum, kw) => sum + kw, 0);
};

describe("a site of the fleet", () => {
  test("sheds about its commitment, unless it is one that falls short or ignores dispatches", () => {
    for (const { code, commitmentKw, response } of fleetOf(FLEET_SITES)) {
      const shed = powerOf(code, []) - powerOf(code, [call]);
      expect(shed).toBeLessThanOrEqual(commitmentKw * 1.3);
      if (response.delivers === 0 || commitmentKw === 0) expect(shed).toBe(0);
      else expect(shed).toBeGreaterThan(0);
    }
  });

  test("exports when its battery is dispatched", () => {
    expect(powerOf("BBS-1", [])).toBeGreaterThan(0);
    expect(powerOf("BBS-1", [call])).toBeLessThan(0);
  });

  test("a fleet of any size has sites of all accounts once it has six", () => {
    expect(fleetOf(FLEET_SITES)).toHaveLength(40);
    expect(new Set(fleetOf(6).map(({ account }) => account)).size).toBe(6);
    expect(new Set(fleetOf(FLEET_SITES).map(({ code }) => code)).size).toBe(FLEET_SITES);
    expect(fleetOf(FLEET_SITES).filter(({ place }) => place === null)).toEqual([]);
  });
});
