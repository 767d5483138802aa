import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ControlConfig, OutputConfig, SiteConfig } from "../../src/config/config.js";
import {
  asPlain,
  type Check,
  firstFault,
  followsRamp,
  isNotLostEarly,
  keepsMinimumTimes,
  LIMIT,
  RAMPED,
  RELAY,
  staysWithDispatch,
  storesInTime,
} from "./support/site-faults.js";
import { type Happening, happen, type TakeUp } from "./support/site-world.js";

/** A thousand take ten seconds. */
const RUNS = propertyRuns(40);

const seconds = (...of: readonly number[]) => fc.constantFrom(...of.map((each) => each * 1000));

const rules: fc.Arbitrary<ControlConfig> = fc
  .record({
    leadMs: seconds(0, 0, 5),
    overlap: fc.constantFrom("sum", "max"),
    minimumOnMs: seconds(0, 8, 30),
    minimumOffMs: seconds(0, 12, 60),
    restMs: fc.option(seconds(0, 20, 90)),
    referenceMs: fc.constant(600_000),
    contact: fc.record({
      lostAfterMs: seconds(2, 10, 25, 60),
      action: fc.constantFrom("keep", "release", "level"),
      afterMs: seconds(0, 0, 7, 20),
    }),
  })
  .map(({ restMs, ...rule }) => ({ ...rule, maximumOnMs: restMs === null ? null : rule.minimumOnMs + restMs }));

const upTo = (max: number) => fc.integer({ min: 0, max });
const service = fc.constantFrom("answers", "answers", "refuses", "hangs");

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("run"), seconds: upTo(40), service }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("kill"), seconds: fc.oneof(upTo(3), upTo(60), upTo(5_000)) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pause"), seconds: fc.oneof(upTo(30), upTo(3_000)) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("clock"), seconds: fc.constantFrom(-3_600, -60, -5, 5, 60, 3_600) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("dispatch"),
      inSeconds: fc.integer({ min: -10, max: 30 }),
      seconds: fc.option(upTo(6_000)),
      kw: fc.option(upTo(300)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("prolong"), seconds: fc.integer({ min: -60, max: 600 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel") }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("person"),
      mode: fc.constantFrom("normal", "curtail", null),
      seconds: fc.option(upTo(60)),
    }),
  },
);

const output: Omit<OutputConfig, "name" | "curtail" | "full" | "normal" | "failsafe"> = {
  target: { protocol: "mqtt", connection: "broker", topic: "topic", retain: true },
  bounds: [-1e12, 1e12],
  scale: 1,
  ramp: null,
  repeatMs: 60_000,
};

const siteWith = (control: ControlConfig): SiteConfig => ({
  id: "site_1",
  name: "Mill",
  meters: [],
  control,
  override: null,
  outputs: [
    { ...output, name: "relay", curtail: RELAY.curtailing, full: 1, normal: RELAY.normal, failsafe: RELAY.failsafe },
    { ...output, name: "limit", curtail: "commitment", full: LIMIT.full, normal: null, failsafe: LIMIT.failsafe },
    {
      ...output,
      name: "ramped",
      curtail: RAMPED.curtailing,
      full: 0,
      normal: RAMPED.normal,
      failsafe: RAMPED.failsafe,
      ramp: { perMinute: RAMPED.perMinute, everyMs: RAMPED.everyMs },
    },
  ],
});

const holds = (checks: readonly Check[], takeUp?: TakeUp) =>
  fc.asyncProperty(rules, fc.array(happening, { maxLength: 40 }), async (control, happenings) => {
    const site = siteWith(control);
    expect(firstFault(site, await happen(site, happenings, takeUp), checks)).toBeNull();
  });

test(
  "through kills, power cuts, clocks that jump and a service that is silent, each output does what it should",
  async () => {
    const checks = [staysWithDispatch, isNotLostEarly, keepsMinimumTimes, followsRamp, asPlain, storesInTime];
    await fc.assert(holds(checks), { numRuns: RUNS });
  },
  10_000 + RUNS * 100,
);

/** The fault that a check finds if a process takes up otherwise what was stored. */
const faultWith = async (check: Check, takeUp: TakeUp): Promise<string | null> => {
  const { counterexample } = await fc.check(holds([check], takeUp), { numRuns: 2_000, endOnFailure: true });
  const [control, happenings] = counterexample ?? [];
  if (control === undefined || happenings === undefined) return null;
  const site = siteWith(control);
  return firstFault(site, await happen(site, happenings, takeUp), [check]);
};

/** As it once was: silence is the age of the last answer. */
const powerCutIsSilence: TakeUp = (stored, clockMs) => ({
  ...stored,
  silentMs: stored.contactAtMs === null ? (stored.silentMs ?? 0) : Math.max(0, clockMs - stored.contactAtMs),
});

const forgetsTimes: TakeUp = ({ sites, ...stored }) => {
  const changed = Object.entries(sites).map(([id, { state, ...site }]) => [
    id,
    { ...site, state: { ...state, phaseMs: 3_600_000 } },
  ]);
  return { ...stored, sites: Object.fromEntries(changed) as typeof sites };
};

test("each of these checks finds a rule by which a power cut counts as silence", async () => {
  expect(await faultWith(staysWithDispatch, powerCutIsSilence)).toMatch(/left the dispatch: contact lost$/);
  expect(await faultWith(isNotLostEarly, powerCutIsSilence)).toMatch(/contact lost after \d+ ms$/);
  expect(await faultWith(asPlain, powerCutIsSilence)).toMatch(/"contact lost".* instead of/);
}, 30_000);

test("a rule that forgets the silence at each restart is found", async () => {
  expect(await faultWith(asPlain, (stored) => ({ ...stored, silentMs: 0 }))).toMatch(/instead of .*"contact lost"/);
}, 30_000);

test("a rule that forgets at each restart how long it has curtailed is found", async () => {
  expect(await faultWith(keepsMinimumTimes, forgetsTimes)).toMatch(/changed after \d+ ms$/);
}, 30_000);
