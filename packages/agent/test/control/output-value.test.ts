import { expect, test } from "vitest";
import type { OutputConfig } from "../../src/config/config.js";
import { type RampState, rampTowards, valueOf } from "../../src/control/output-value.js";
import { INITIAL_STATE, type SiteState } from "../../src/control/site-control.js";

const output = (changes: Partial<OutputConfig> = {}): OutputConfig => ({
  name: "limit",
  target: { protocol: "mqtt", connection: "broker", topic: "limit", retain: true },
  curtail: "remaining",
  full: 20,
  normal: 500,
  failsafe: null,
  bounds: [0, 1_000],
  scale: 1,
  ramp: null,
  repeatMs: 60_000,
  ...changes,
});

const curtailing = (commitmentKw: number | null, referenceKw: number | null): SiteState => ({
  ...INITIAL_STATE,
  phase: "curtailing",
  cause: "dispatch",
  demand: { dispatchIds: ["dis_1"], commitmentKw, endMs: null },
  referenceKw,
});

test.each([
  ["a level", { curtail: 30 }, curtailing(100, 400), 30],
  ["the commitment", { curtail: "commitment" }, curtailing(100, 400), 100],
  ["the load before less the commitment", {}, curtailing(100, 400), 300],
  ["full for a commitment of null", {}, curtailing(null, 400), 20],
  ["full where the load before is not known", {}, curtailing(100, null), 20],
  ["no less than its bounds", {}, curtailing(600, 400), 0],
  ["normal", {}, { ...INITIAL_STATE, phase: "normal" }, 500],
  ["a release", { normal: null }, { ...INITIAL_STATE, phase: "normal" }, null],
  ["the fail-safe level", { failsafe: 60 }, { ...INITIAL_STATE, phase: "failsafe" }, 60],
  ["nothing before the service was heard", {}, INITIAL_STATE, undefined],
] as const)("an output is %s", (_, changes, state, expected) => {
  expect(valueOf(output(changes), state)).toBe(expected);
});

const ramp = { perMinute: 60, everyMs: 10_000 };

test("a ramp changes by its step until it is there", () => {
  let state: RampState = { value: 100, waitedMs: 10_000 };
  const values: unknown[] = [];
  for (let second = 0; second < 50; second++) {
    state = rampTowards(state, 65, ramp, 1_000);
    values.push(state.value);
  }
  expect([...new Set(values)]).toEqual([89, 79, 69, 65].map((value) => value));
  expect(values.indexOf(79) - values.indexOf(89)).toBe(10);
});

test("a ramp that has just arrived waits for its next step, too", () => {
  const arrived = rampTowards({ value: 70, waitedMs: 9_000 }, 65, ramp, 1_000);
  expect(arrived.value).toBe(65);
  const values = [1_000, 8_000, 1_000].map((_, index, all) =>
    all.slice(0, index + 1).reduce((state, elapsedMs) => rampTowards(state, 100, ramp, elapsedMs), arrived),
  );
  expect(values.map(({ value }) => value)).toEqual([65, 65, 75]);
});

test("after a pause a ramp continues with one step", () => {
  const { value } = rampTowards({ value: 100, waitedMs: 0 }, 0, ramp, 3_600_000);
  expect(value).toBe(80);
});

test("a release, and a value that nobody knows, are not ramped", () => {
  expect(rampTowards({ value: 100, waitedMs: 0 }, null, ramp, 1_000).value).toBeNull();
  expect(rampTowards({ value: undefined, waitedMs: 0 }, 40, ramp, 1_000).value).toBe(40);
});
