import { expect, onTestFinished, test } from "vitest";
import { Polling } from "../../src/platform/polling.js";
import { fakeClock } from "../support/fake-clock.js";

const HOUR_MS = 3_600_000;

/** A loop that looks once an hour, so never by itself within a test. */
const hourly = (options: { readonly restsFirst?: boolean; readonly look?: (looks: number) => boolean } = {}) => {
  const clock = fakeClock();
  const errors: unknown[] = [];
  const state = { looks: 0 };
  const { restsFirst = false, look: answer = () => false } = options;
  const look = async (): Promise<boolean> => answer(++state.looks);
  const onError = (error: unknown): void => void errors.push(error);
  const polling = new Polling({ look, onError, clock, everyMs: HOUR_MS, restsFirst });
  polling.start();
  onTestFinished(() => polling.stop());
  const looked = (times: number) => expect.poll(() => state.looks).toBe(times);
  return { clock, errors, polling, state, looked };
};

test("a loop looks at once, and again when the clock has moved past its rest, not before", async () => {
  const { clock, state, looked } = hourly();
  await looked(1);
  clock.advance({ minutes: 59 });
  await Promise.resolve();
  expect(state.looks).toBe(1);
  clock.advance({ minutes: 1 });
  await looked(2);
});

test("a loop that rests first looks after its rest", async () => {
  const { clock, state, looked } = hourly({ restsFirst: true });
  await Promise.resolve();
  expect(state.looks).toBe(0);
  clock.advance({ hours: 1 });
  await looked(1);
});

test("a loop that is woken looks at once, also when it is woken during a look", async () => {
  const { polling, looked } = hourly({
    look: (looks) => {
      if (looks === 2) polling.wake();
      return false;
    },
  });
  await looked(1);
  polling.wake();
  await looked(3);
});

test("a loop looks again at once if there may be more, and rests after a failed look", async () => {
  const { clock, errors, looked } = hourly({
    look: (looks) => {
      if (looks === 3) throw new Error("the database is away");
      return looks < 3;
    },
  });
  await looked(3);
  expect(errors).toEqual([new Error("the database is away")]);
  clock.advance({ hours: 1 });
  await looked(4);
});

test("a loop that is stopped while it rests ends at once and looks no more", async () => {
  const { clock, polling, state, looked } = hourly();
  await looked(1);
  await polling.stop();
  clock.advance({ hours: 2 });
  expect(state.looks).toBe(1);
});

test("the clock of tests ends a sleep by itself, too: what other processes write is seen without moving it", async () => {
  const clock = fakeClock();
  const before = clock.now();
  await clock.sleep(1000);
  expect(clock.now()).toEqual(before);
});
