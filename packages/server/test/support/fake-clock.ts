import type { DatabaseClock } from "../../src/platform/database/database-clock.js";

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

/** Real time counts so many times for what goes on though the clock stands still. */
const HASTE = 10;

/** In real time, for so long after something happened, loops look this often; and this often later. */
const BUSY_MS = 2000;
const BUSY_PACE_MS = 100;
const IDLE_PACE_MS = 500;

/**
 * A clock that stands still until the test moves it; it starts at a whole second of today. Moving it wakes at once whoever
 * sleeps until then. A sleep also ends by itself, sooner than in real time: requests and other processes write things to
 * look at without moving the clock.
 */
export const fakeClock = (): FakeClock => {
  let nowMs = Math.floor(Date.now() / 1000) * 1000;
  let busyUntilMs = performance.now() + BUSY_MS;
  const sleepers = new Set<Sleeper>();
  const stayBusy = (): void => {
    busyUntilMs = performance.now() + BUSY_MS;
  };
  /** A tenth, where that is more: what writes rarely still writes rarely. */
  const realMs = (ms: number): number =>
    Math.min(ms, Math.max(performance.now() < busyUntilMs ? BUSY_PACE_MS : IDLE_PACE_MS, ms / HASTE));
  const moveTo = (ms: number): void => {
    nowMs = ms;
    stayBusy();
    for (const { dueMs, end } of sleepers) if (dueMs <= ms) end();
  };
  return {
    now: () => new Date(nowMs),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", wake);
          sleepers.delete(sleeper);
          resolve();
        };
        // A loop that is woken has something to do.
        const wake = (): void => {
          stayBusy();
          end();
        };
        const timer = setTimeout(end, realMs(ms));
        const sleeper = { dueMs: nowMs + ms, end };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", wake);
        if (signal?.aborted === true) wake();
      }),
    monotonicMs: () => performance.now() * HASTE,
    advance({ seconds = 0, minutes = 0, hours = 0, days = 0 }) {
      moveTo(nowMs + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000);
    },
    set: (at) => moveTo(at.getTime()),
    stop: () => {},
  };
};
