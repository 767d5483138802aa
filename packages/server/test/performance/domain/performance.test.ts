import { describe, expect, test } from "vitest";
import { judgementOf, performanceState } from "../../../src/performance/domain/performance.js";

const [START, END] = [1000, 2000];
const times = { startMs: START, endMs: END, cancelledMs: null };

describe("where the measuring of a dispatch stands", () => {
  test.each([
    ["upcoming", START - 1, false],
    ["in_progress", START, false],
    ["ended", END, false],
    ["final", END, true],
  ])("is %s", (state, nowMs, isFinal) => {
    expect(performanceState(times, nowMs, isFinal)).toBe(state);
  });

  test("is cancelled from its cancellation on, before the start, while it runs, after its end, and once it is final", () => {
    for (const cancelledMs of [START - 1, START + 1, END + 1])
      for (const isFinal of [false, true])
        expect(performanceState({ ...times, cancelledMs }, END + 2, isFinal)).toBe("cancelled");
  });
});

describe("a result", () => {
  test.each([
    ["judged", { cancelledMs: null, isVoid: false }, true],
    ["judged", { cancelledMs: null, isVoid: false }, false],
    ["unjudged", { cancelledMs: START, isVoid: false }, true],
    ["unjudged", { cancelledMs: START, isVoid: false }, false],
    ["withdrawn", { cancelledMs: END + 1, isVoid: true }, true],
    ["judged", { cancelledMs: END + 1, isVoid: true }, false],
  ])("is %s where %j, newest: %j", (judgement, dispatch, isNewest) => {
    expect(judgementOf(dispatch, isNewest)).toBe(judgement);
  });
});
