import type pg from "pg";
import type { LoopClock } from "../operations/clock.js";
import { Polling } from "../operations/polling.js";
import { LiveChanges } from "../operations/watch-changes.js";
import type { Logger } from "../runtime/logger.js";
import { changeReader } from "../storage/change-reader.js";

/** Pages hear of a change within a second. */
const LOOK_MS = 500;

export interface Changes {
  readonly live: LiveChanges;
  stop(): Promise<void>;
}

/** What tells open pages what changed, in every process that serves them. */
export const wireChanges = (pool: pg.Pool, clock: LoopClock, logger: Logger): Changes => {
  const live = new LiveChanges({ reader: changeReader(pool), clock, wake: () => polling.wake() });
  const look = async () => {
    await live.look();
    return false;
  };
  const polling = new Polling({
    look,
    onError: (error) => logger.warn({ err: error }, "what changed could not be read; open pages hear of it later"),
    clock,
    everyMs: LOOK_MS,
  });
  polling.start();
  return { live, stop: () => polling.stop() };
};
