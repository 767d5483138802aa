import type pg from "pg";
import { LiveChanges } from "../oversight/operations/watch-changes.js";
import { changeReader } from "../oversight/storage/change-reader.js";
import type { LoopClock } from "../platform/clock.js";
import { Polling } from "../platform/polling.js";
import type { Logger } from "../platform/runtime/logger.js";

/** Pages are notified of a change within a second. */
const LOOK_MS = 500;

export interface Changes {
  readonly live: LiveChanges;
  stop(): Promise<void>;
}

/** Notifies open pages of changes, in every process that serves them. */
export const wireChanges = (pool: pg.Pool, clock: LoopClock, logger: Logger): Changes => {
  const live = new LiveChanges({ reader: changeReader(pool), clock, wake: () => polling.wake() });
  const look = async () => {
    await live.look();
    return false;
  };
  const polling = new Polling({
    look,
    onError: (error) => logger.warn({ err: error }, "changes could not be read; open pages are updated later"),
    clock,
    everyMs: LOOK_MS,
  });
  polling.start();
  return { live, stop: () => polling.stop() };
};
