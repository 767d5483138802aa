import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
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
  /** Makes it end soon in real time. */
  readonly hurry: () => void;
}

/** Sleeps end this many times faster than in real time while the clock stands still. */
const HASTE = 10;

/** In real time, loops look after this much quiet, and at the latest this long after something happened. */
const QUIET_MS = 120;
const LATEST_MS = 500;
/** Then at intervals that double, up to this. */
const IDLE_MS = 1000;

const sleepers = new Set<Sleeper>();
let happenedAtMs = performance.now();

/** Call when there may be something to look at. */
const somethingHappened = (): void => {
  happenedAtMs = performance.now();
  for (const { hurry } of sleepers) hurry();
};

const intervalMs = (): number => Math.min(Math.max(performance.now() - happenedAtMs, QUIET_MS), IDLE_MS);

// Requests write things to look at, including those that the service itself sends to a receiver.
subscribe("http.server.response.finish", (message) => {
  const { method } = (message as { readonly request: IncomingMessage }).request;
  if (method !== "GET" && method !== "HEAD") somethingHappened();
});

/**
 * A clock that stands still until the test moves it; it starts at a whole second of today. Moving it wakes sleepers
 * that are due. A sleep also ends by itself, sooner than in real time: requests and other processes write things to
 * look at without moving the clock.
 */
export const fakeClock = (): FakeClock => {
  let nowMs = Math.floor(Date.now() / 1000) * 1000;
  const mine = new Set<Sleeper>();
  const moveTo = (ms: number): void => {
    nowMs = ms;
    somethingHappened();
    for (const { dueMs, end } of mine) if (dueMs <= ms) end();
  };
  return {
    now: () => new Date(nowMs),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const startedMs = performance.now();
        // A tenth of the time, if that is longer: what rarely writes still rarely writes.
        const earliestMs = startedMs + ms / HASTE;
        let latestMs = Math.min(Math.max(startedMs + intervalMs(), earliestMs), startedMs + ms);
        const end = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", wake);
          sleepers.delete(sleeper);
          mine.delete(sleeper);
          resolve();
        };
        // A loop that is woken has something to do.
        const wake = (): void => {
          end();
          somethingHappened();
        };
        const hurry = (): void => {
          const atMs = performance.now();
          latestMs = Math.min(latestMs, Math.max(atMs + LATEST_MS, earliestMs));
          clearTimeout(timer);
          timer = setTimeout(end, Math.min(Math.max(atMs + QUIET_MS, earliestMs), latestMs) - atMs);
        };
        let timer = setTimeout(end, latestMs - startedMs);
        const sleeper = { dueMs: nowMs + ms, end, hurry };
        sleepers.add(sleeper);
        mine.add(sleeper);
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
