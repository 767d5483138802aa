import { performance } from "node:perf_hooks";
import type { LoopClock } from "../clock.js";
import type { Queryable } from "./database.js";

const REFRESH_MS = 5000;

export interface DatabaseClock extends LoopClock {
  stop(): void;
}

/**
 * The database's time, so that all processes agree on what is due. Between readings it advances with this machine's
 * monotonic clock, so jumps of the wall clock have no effect.
 */
export const startDatabaseClock = async (db: Queryable, onError: (error: unknown) => void): Promise<DatabaseClock> => {
  let offsetMs = await readOffset(db);
  const refresh = async (): Promise<void> => {
    try {
      offsetMs = await readOffset(db);
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(() => void refresh(), REFRESH_MS);
  timer.unref();
  return {
    now: () => new Date(performance.now() + offsetMs),
    sleep,
    monotonicMs: () => performance.now(),
    stop: () => clearInterval(timer),
  };
};

/** Real time. The promise version from node:timers would create an error with a stack for each loop that is woken. */
export const sleep: LoopClock["sleep"] = (ms, signal) =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end);
  });

/** Database time minus monotonic time; the database read it about half way between sending and receiving. */
export const readOffset = async (db: Queryable): Promise<number> => {
  const sentMs = performance.now();
  const { rows } = await db.query<{ ms: number }>("select extract(epoch from clock_timestamp())::float8 * 1000 as ms");
  const receivedMs = performance.now();
  return (rows[0]?.ms ?? Number.NaN) - (sentMs + receivedMs) / 2;
};
