import type { DatabaseClock } from "../../src/storage/database-clock.js";

export interface FakeClock extends DatabaseClock {
  advance(by: {
    readonly seconds?: number;
    readonly minutes?: number;
    readonly hours?: number;
    readonly days?: number;
  }): void;
  set(at: Date): void;
}

interface Sleeper {
  readonly dueMs: number;
  readonly end: () => void;
}

/** What a sleep takes in real time at most: loops also look for what requests or other processes wrote. */
const REAL_MS = 100;

/** A tenth, where that is more: what writes rarely still writes rarely. */
const realMs = (ms: number): number => Math.min(ms, Math.max(REAL_MS, ms / 10));

/**
 * A clock that stands still until the test moves it; it starts at a whole second of today. Moving it wakes at once whoever
 * sleeps until then. A sleep ends by itself after a fraction of its time, too.
 */
export const fakeClock = (): FakeClock => {
  let nowMs = Math.floor(Date.now() / 1000) * 1000;
  const sleepers = new Set<Sleeper>();
  const moveTo = (ms: number): void => {
    nowMs = ms;
    for (const { dueMs, end } of sleepers) if (dueMs <= ms) end();
  };
  return {
    now: () => new Date(nowMs),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", end);
          sleepers.delete(sleeper);
          resolve();
        };
        const timer = setTimeout(end, realMs(ms));
        const sleeper = { dueMs: nowMs + ms, end };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", end);
        if (signal?.aborted === true) end();
      }),
    advance({ seconds = 0, minutes = 0, hours = 0, days = 0 }) {
      moveTo(nowMs + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000);
    },
    set: (at) => moveTo(at.getTime()),
    stop: () => {},
  };
};
