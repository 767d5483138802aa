import { expect, test } from "vitest";
import type { OutputConfig, SiteConfig } from "../../src/config/config.js";
import { INITIAL_STATE, type SiteState } from "../../src/control/site-control.js";
import type { PointResult } from "../../src/devices/device.js";
import { OutputRunner } from "../../src/run/output-runner.js";

const output: OutputConfig = {
  name: "limit",
  target: { protocol: "mqtt", connection: "broker", topic: "limit", retain: true },
  curtail: 40,
  full: 40,
  normal: 100,
  failsafe: null,
  bounds: [0, 100],
  scale: 0.1,
  ramp: null,
  repeatMs: 60_000,
};

const site = { id: "site_1", name: "Mill" } as SiteConfig;
const normal: SiteState = { ...INITIAL_STATE, phase: "normal", cause: "no dispatch" };
const curtailing: SiteState = { ...INITIAL_STATE, phase: "curtailing", cause: "dispatch" };

/** Ticks once a second through states, with a device that fails while `isDown`. */
const harness = (config: OutputConfig = output, held: PointResult | null = null) => {
  const writes: Array<readonly [second: number, value: number | null]> = [];
  let second = 0;
  const device = { isDown: false };
  const runner = new OutputRunner(
    site,
    config,
    {
      write: (_, value) => {
        writes.push([second, value]);
        return device.isDown ? Promise.reject(new Error("no answer")) : Promise.resolve();
      },
      readBack: () => Promise.resolve(held),
    },
    undefined,
  );
  const tick = async (state: SiteState, seconds: number): Promise<void> => {
    for (const until = second + seconds; second < until; second++) {
      runner.tick(state, { ms: second * 1000, monotonicMs: second * 1000 }, 1000);
      await runner.settle();
    }
  };
  return { writes, device, runner, tick };
};

test("a value is written once when it changes, scaled, and again at the repeat", async () => {
  const { writes, tick } = harness();
  await tick(INITIAL_STATE, 5);
  await tick(normal, 10);
  await tick(curtailing, 70);
  expect(writes).toEqual([
    [5, 10],
    [15, 4],
    [75, 4],
  ]);
});

test("a write that fails is tried again with growing delays, shown, and then forgotten", async () => {
  const { writes, device, runner, tick } = harness();
  device.isDown = true;
  await tick(curtailing, 10);
  expect(runner.status).toMatchObject({ wanted: 40, written: undefined, fault: "no answer" });
  expect(writes.length).toBeGreaterThanOrEqual(3);
  expect(writes.length).toBeLessThanOrEqual(5);
  device.isDown = false;
  await tick(curtailing, 20);
  expect(runner.status).toMatchObject({ written: 40, fault: null });
});

test("the value that is written after failures is the one that is wanted then", async () => {
  const { writes, device, tick } = harness();
  device.isDown = true;
  await tick(curtailing, 3);
  device.isDown = false;
  await tick(normal, 10);
  expect(writes.at(-1)?.[1]).toBe(10);
});

test("a ramp begins at what the point holds", async () => {
  const ramp = { perMinute: 60, everyMs: 10_000 };
  const { writes, runner, tick } = harness({ ...output, ramp, repeatMs: 3_600_000 }, { value: 10 });
  await runner.prepare();
  expect(runner.status.found).toBe(100);
  await tick(curtailing, 70);
  expect(writes.map(([, value]) => value)).toEqual([10, 9, 8, 7, 6, 5, 4]);
});

test("a ramp begins at what the point holds, also if nothing is known of dispatches at first", async () => {
  const ramp = { perMinute: 60, everyMs: 10_000 };
  const { writes, runner, tick } = harness({ ...output, ramp, repeatMs: 3_600_000 }, { value: 10 });
  await runner.prepare();
  await tick(INITIAL_STATE, 5);
  expect(writes).toEqual([]);
  await tick(curtailing, 70);
  expect(writes.map(([, value]) => value)).toEqual([10, 9, 8, 7, 6, 5, 4]);
});
