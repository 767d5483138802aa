import { describe, expect, test } from "vitest";
import {
  askEveryMs,
  type FirstSteps,
  isFinished,
  nextStep,
  otherStep,
  placeOf,
  type StepName,
  stepsDone,
  stepWords,
} from "../../src/rules/first-steps.js";

const names = Object.keys(stepWords) as StepName[];

const having = (done: readonly StepName[], ids: Partial<FirstSteps> = {}): FirstSteps => ({
  steps: names.map((step) => ({ step, done: done.includes(step) })),
  account_id: null,
  site_id: null,
  program_id: null,
  hidden_sites: 0,
  ...ids,
});

describe("the first steps", () => {
  test("are taken in their order, and one that was done elsewhere is skipped", () => {
    expect(nextStep(having([]))).toBe("account");
    expect(nextStep(having(["account", "program"]))).toBe("site");
    expect(nextStep(having(names))).toBe(null);
    expect(stepsDone(having(["account", "program"]))).toBe(2);
    expect([isFinished(having(names)), isFinished(having(["account"]))]).toEqual([true, false]);
  });

  test("do not wait for readings: the test dispatch can be started meanwhile", () => {
    const untilReading = names.filter((name) => name !== "reading" && name !== "dispatch");
    expect(otherStep(having(untilReading))).toBe("dispatch");
    expect(otherStep(having(["account"]))).toBe(null);
  });

  test("are asked for closely only by somebody who waits for a reading", () => {
    const waiting = having(names.filter((name) => name !== "reading"));
    const calmly = askEveryMs(undefined, true);
    expect(askEveryMs(waiting, true)).toBeLessThan(calmly);
    expect([askEveryMs(waiting, false), askEveryMs(having([]), true)]).toEqual([calmly, calmly]);
  });

  test("lead to the very place, once what they need is there", () => {
    expect(placeOf("account", having([]))).toMatchObject({ to: "/operations/accounts", search: { do: "new" } });
    expect(placeOf("site", having([]))).toBe(null);
    expect(placeOf("site", having([], { account_id: "acc_1" }))).toMatchObject({
      params: { id: "acc_1" },
      search: { tab: "sites", do: "new" },
    });
    expect(placeOf("program", having([]))).toMatchObject({ to: "/operations/programs" });
    const at = having([], { account_id: "acc_1", site_id: "site_1" });
    const dialogs = (["meter", "program", "enrolment", "dispatch"] as const).map((step) => placeOf(step, at)?.search);
    expect(dialogs).toEqual([{ do: "meter" }, { do: "enrol" }, { do: "enrol" }, { do: "verify" }]);
    expect(placeOf("channel", at)).toMatchObject({ params: { id: "acc_1" }, search: { tab: "contacts", do: "new" } });
    expect(placeOf("channel", having([]))).toBe(null);
    expect(placeOf("reading", at)).toMatchObject({ params: { id: "site_1" }, hash: "readings" });
  });
});
