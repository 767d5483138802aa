import { setTimeout as sleep } from "node:timers/promises";
import { propertyPlan, untilLate } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";

test("at the desk a property has the same few runs each time", () => {
  const { seed, runs } = propertyPlan({});
  expect([seed, runs(7), runs(7, { atMost: 3 })]).toEqual([propertyPlan({}).seed, 7, 7]);
});

test("a long run tries as many others as it asks for, as far as a slow property allows", () => {
  const { seed, runs } = propertyPlan({ TEST_PROPERTY_RUNS: "1000" });
  expect([runs(7), runs(7, { atMost: 50 }), runs(2000)]).toEqual([1000, 50, 2000]);
  expect(propertyPlan({ TEST_PROPERTY_RUNS: "1000" }).seed).not.toBe(seed);
});

test("a property of a long run begins no case when it is late, and ends the one under way", async () => {
  let [begun, ended] = [0, 0];
  const slow = fc.asyncProperty(fc.nat(), async () => {
    begun += 1;
    await sleep(200);
    ended += 1;
  });
  const result = await fc.check(slow, { numRuns: 1000, plugins: [untilLate(50)] });
  expect([result.failed, begun, ended]).toEqual([false, 1, 1]);
  await fc.check(slow, { numRuns: 1000, plugins: [fc.interruptAfterTimeLimit(50)] });
  // The control: fast-check's own limit.
  expect([begun, ended]).toEqual([2, 1]);
});

test("the seed that a failure prints makes the same failure again", () => {
  const failing = fc.property(fc.nat(), (n) => n % 100 !== 17);
  const found = fc.check(failing, { numRuns: 10_000 });
  expect(found.failed).toBe(true);
  const { seed } = propertyPlan({ TEST_PROPERTY_SEED: String(found.seed) });
  expect(fc.check(failing, { numRuns: 10_000, seed })).toMatchObject({ counterexamplePath: found.counterexamplePath });
  expect(() => fc.assert(failing, { numRuns: 10_000 })).toThrow(`seed: ${found.seed}`);
});

test("a property without a number of runs has those of the environment, too", () => {
  const { seed, runs } = propertyPlan(process.env);
  const isLong = process.env["TEST_PROPERTY_RUNS"] !== undefined;
  expect(fc.readConfigureGlobal()).toMatchObject({ numRuns: runs(100), ...(isLong ? {} : { seed }) });
});

test.each(["TEST_PROPERTY_RUNS", "TEST_PROPERTY_SEED"])("%s is a whole number", (name) => {
  for (const text of ["", "ten", "1e3", "-1", "2147483648"])
    expect(() => propertyPlan({ [name]: text })).toThrow(`Set ${name} to a whole number`);
});
