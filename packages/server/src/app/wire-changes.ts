import type pg from "pg";
import { LiveChanges } from "../oversight/operations/watch-changes.js";
import { watchedDispatches } from "../oversight/storage/change-reader.js";
import type { LoopClock } from "../platform/clock.js";
import type { JournalTail } from "../platform/database/journal-tail.js";
import { Polling } from "../platform/polling.js";
import type { Logger } from "../platform/runtime/logger.js";

export interface ChangesWiring {
  readonly pool: pg.Pool;
  readonly tail: Pick<JournalTail, "feed">;
  readonly clock: LoopClock;
  readonly logger: Logger;
}

export interface Changes {
  readonly live: LiveChanges;
  stop(): Promise<void>;
}

/** Notifies open pages of changes, in every process that serves them. */
export const wireChanges = ({ pool, tail, clock, logger }: ChangesWiring): Changes => {
  const live = new LiveChanges({ dispatches: watchedDispatches(pool), clock, wake: () => polling.wake() });
  const look = async () => {
    await live.look();
    return false;
  };
  const polling = new Polling({
    look,
    onError: (error) => logger.warn({ err: error }, "changes could not be read; open pages are updated later"),
    clock,
    everyMs: () => live.restMs(),
  });
  tail.feed(live);
  polling.start();
  return { live, stop: () => polling.stop() };
};
