import { expect, test } from "vitest";
import { silenceAfterAnswer, silenceAfterFailure, silenceAt, silenceFrom } from "../../src/control/silence.js";

/** Runs for a time, a step each second. */
const ran = (seconds: number, silence = silenceFrom(0, 0)) => {
  let now = silence;
  for (let second = 1; second <= seconds; second++) now = silenceAt(now, silence.atMs + second * 1000);
  return now;
};

test("a process that has not tried adds nothing, however often it starts", () => {
  expect(ran(60).ms).toBe(0);
  expect(ran(60, silenceFrom(4_000, 0)).ms).toBe(4_000);
});

test("after an attempt in vain the time since the start counts, and all time from then on", () => {
  const failed = silenceAfterFailure(ran(20), 20_000);
  expect(failed.ms).toBe(20_000);
  expect(ran(5, failed).ms).toBe(25_000);
});

test("the silence of earlier processes is added, without the time between them", () => {
  expect(silenceAfterFailure(silenceFrom(7_000, 0), 3_000).ms).toBe(10_000);
});

test("an answer ends the silence; the time after it counts once an attempt is in vain", () => {
  const answered = silenceAfterAnswer(9_500);
  expect(ran(30, answered).ms).toBe(0);
  expect(silenceAfterFailure(ran(30, answered), 39_500).ms).toBe(30_000);
});

test("a pause of the process counts as ten seconds", () => {
  const failed = silenceAfterFailure(silenceFrom(0, 0), 1_000);
  expect(silenceAt(failed, 3_600_000).ms).toBe(11_000);
});
