import { expect, test } from "vitest";
import { AnswerBudget } from "../../../src/platform/http/answer-budget.js";

// 100 bytes in total, 50 per reader; a wait longer than 20 ms fails.
const budget = (waitMs = 10_000) => new AnswerBudget(100, 50, waitMs);

/** Requests memory, and records when it was granted. */
const asked = (on: AnswerBudget, reader: string, bytes: number) => {
  const state = { isGranted: false, release: () => {} };
  const done = on.take(reader, bytes).then((release) => {
    state.isGranted = release !== null;
    state.release = release ?? (() => {});
    return release;
  });
  return { state, done };
};

test("a reader gets its share, and the rest as it releases memory, in the order of its requests", async () => {
  const on = budget();
  const [first, second] = [asked(on, "a", 30), asked(on, "a", 20)];
  await Promise.all([first.done, second.done]);
  const [third, fourth] = [asked(on, "a", 40), asked(on, "a", 5)];
  second.state.release();
  await asked(on, "b", 1).done;
  expect([third.state.isGranted, fourth.state.isGranted]).toEqual([false, false]);
  first.state.release();
  await Promise.all([third.done, fourth.done]);
});

test("a reader that waits holds up no other", async () => {
  const on = budget();
  await asked(on, "a", 50).done;
  const waiting = asked(on, "a", 10);
  await asked(on, "b", 50).done;
  expect(waiting.state.isGranted).toBe(false);
});

test("readers together never exceed the total, and a second release has no effect", async () => {
  const on = budget();
  const [first, second] = [asked(on, "a", 50), asked(on, "b", 50)];
  await Promise.all([first.done, second.done]);
  const [third, fourth] = [asked(on, "c", 50), asked(on, "d", 50)];
  first.state.release();
  first.state.release();
  await third.done;
  expect(fourth.state.isGranted).toBe(false);
  second.state.release();
  await fourth.done;
});

test("an answer larger than a reader's share is made alone", async () => {
  const on = budget();
  const large = asked(on, "a", 500);
  expect(await large.done).not.toBeNull();
  const other = asked(on, "b", 1);
  large.state.release();
  expect(await other.done).not.toBeNull();
});

test("who waits too long waits in vain, and so does the 21st of a reader at once", async () => {
  const on = budget(20);
  await asked(on, "a", 50).done;
  expect(await on.take("a", 10)).toBeNull();
  const patient = budget();
  await asked(patient, "a", 50).done;
  for (let count = 0; count < 20; count++) void asked(patient, "a", 10);
  expect(await patient.take("a", 10)).toBeNull();
});
