import { expect, test } from "vitest";
import { movingDispatch } from "../../src/sandbox/operations/fixed-data.js";
import { fakeClock } from "../support/fake-clock.js";

const HOUR_MS = 3_600_000;

test("the public key's dispatch is a second later with every call, and never much more than six hours ahead", () => {
  const clock = fakeClock();
  const next = movingDispatch(clock);
  const startMs = () => next().start.getTime();
  const firstMs = startMs();
  let lastMs = firstMs;
  while (lastMs < firstMs + 6 * HOUR_MS) {
    const now = startMs();
    expect(now).toBe(lastMs + 1000);
    lastMs = now;
  }
  expect(startMs()).toBe(firstMs);
});

test("the public key's dispatch moves on even without requests", () => {
  const clock = fakeClock();
  const next = movingDispatch(clock);
  const first = next();
  clock.advance({ hours: 2 });
  expect(next().start.getTime()).toBe(first.start.getTime() + 2 * HOUR_MS);
});
