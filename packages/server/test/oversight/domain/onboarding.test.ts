import { describe, expect, test } from "vitest";
import {
  onboardingSteps,
  type SiteTest,
  type TestResult,
  verificationOf,
} from "../../../src/oversight/domain/onboarding.js";

const start = new Date("2026-06-10T18:00:00Z");
const end = new Date("2026-06-10T18:15:00Z");
const limits = { amberFrom: 0.75, leastCoverage: 0.8 };

const result = (changes: Partial<TestResult> = {}): TestResult => ({
  meanReductionKw: 40,
  performance: 1,
  coverage: 1,
  status: { colour: "green", words: "on commitment" },
  ...changes,
});

const tested = (changes: Partial<SiteTest> = {}): SiteTest => ({
  dispatchId: "dis_1",
  state: "ended",
  start,
  end,
  overAt: end,
  learnt: true,
  commitmentKw: 40,
  limits,
  result: result(),
  ...changes,
});

const judged = (changes: Partial<SiteTest>) => {
  const verification = verificationOf([tested(changes)]);
  return [verification?.passed, verification?.reason];
};

const withoutCommitment = (meanReductionKw: number) =>
  judged({ commitmentKw: null, result: result({ performance: null, meanReductionKw }) });

const failed = (dispatchId: string) => tested({ dispatchId, result: result({ performance: 0 }) });
const passed = (dispatchId: string) => tested({ dispatchId });
const chosen = (...tests: SiteTest[]) => verificationOf(tests)?.dispatchId;

describe("a verification", () => {
  test("passes at the lower limit of the status, and not below it", () => {
    expect(judged({ result: result({ performance: 0.75 }) })).toEqual([
      true,
      expect.stringContaining("delivered the reduction"),
    ]);
    expect(judged({ result: result({ performance: 0.7499 }) })).toEqual([
      false,
      expect.stringContaining("less of its"),
    ]);
    expect(judged({ limits: { ...limits, amberFrom: 0.5 }, result: result({ performance: 0.5 }) })[0]).toBe(true);
  });

  test("without a commitment takes any reduction", () => {
    expect(withoutCommitment(0.1)[0]).toBe(true);
    expect(withoutCommitment(0)).toEqual([false, "the site did not reduce its load"]);
  });

  test("takes no performance that few readings made", () => {
    expect(judged({ result: result({ coverage: 0.8 }) })[0]).toBe(true);
    expect(judged({ result: result({ coverage: 0.79 }) })).toEqual([false, "too few readings during the test"]);
    const none = result({ meanReductionKw: null, status: { colour: "grey", words: "no baseline" } });
    expect(judged({ result: none })).toEqual([false, "the result could not be measured: no baseline"]);
    expect(judged({ result: null })).toEqual([false, expect.stringContaining("being measured")]);
  });

  test.each([
    ["upcoming", /not started/],
    ["in_progress", /in progress/],
    ["cancelled", /was cancelled/],
  ] as const)("that is %s did not pass yet", (state, reason) => {
    expect(judged({ state })).toEqual([false, expect.stringMatching(reason)]);
  });

  test("does not pass when the account did not learn of it, whatever its load did", () => {
    expect(judged({ learnt: false, state: "final" })).toEqual([
      false,
      expect.stringMatching(/was not notified of the test/),
    ]);
  });

  test("is the newest test that passed, or else the newest", () => {
    expect(chosen(failed("3"), passed("2"), passed("1"))).toBe("2");
    expect(chosen(failed("3"), failed("2"))).toBe("3");
    expect(verificationOf([])).toBeNull();
  });
});

const steps = (completeness: readonly number[], displayedSince: Date | null = null, tests: readonly SiteTest[] = []) =>
  onboardingSteps(
    { displayedSince, tests, meters: completeness.map((each, index) => ({ name: `m${index}`, completeness: each })) },
    verificationOf(tests),
  );

describe("the steps of a site", () => {
  test("streaming takes every meter, each from 90 % of the last hour on", () => {
    expect(steps([0.9, 1])[0]).toMatchObject({ step: "data_streaming", done: true, at: null });
    expect(steps([1, 0.899])[0]).toMatchObject({ done: false, detail: expect.stringMatching(/: m1 89 %$/) });
    expect(steps([])[0]).toMatchObject({ done: false, detail: "the site has no meters yet" });
    expect(steps([0, 0, 0, 0, 0, 0, 0])[0].detail).toMatch(/m4 0 % and 2 more$/);
  });

  test("display is done since it was enabled, verification since the test was over", () => {
    expect(steps([])[1]).toMatchObject({ step: "display_enabled", done: false, at: null });
    expect(steps([], start)[1]).toMatchObject({ done: true, at: start });
    expect(steps([])[2]).toMatchObject({
      step: "dispatch_verified",
      done: false,
      detail: expect.stringMatching(/no test dispatch/),
    });
    expect(steps([], null, [tested()])[2]).toMatchObject({ done: true, at: end });
    expect(steps([], null, [tested({ learnt: false })])[2]).toMatchObject({ done: false, at: null });
  });
});
