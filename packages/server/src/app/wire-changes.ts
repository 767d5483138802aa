import { LiveChanges } from "../oversight/operations/watch-changes.js";
import { watchedDispatches } from "../oversight/storage/change-reader.js";
import { Polling } from "../platform/polling.js";
import type { Basis, Stopping } from "./basis.js";

export interface Changes extends Stopping {
  readonly live: LiveChanges;
}

/** Notifies open pages of changes, in every process that serves them. */
export const wireChanges = ({ pool, tail, clock, logger }: Basis): Changes => {
  const live = new LiveChanges({ dispatches: watchedDispatches(pool), clock, wake: () => polling.wake() });
  const polling = new Polling({
    look: () => live.look(),
    onError: (error) => logger.warn({ err: error }, "changes could not be read; open pages are updated later"),
    clock,
    everyMs: () => live.restMs(),
  });
  tail.feed(live);
  polling.start();
  return { live, stop: () => polling.stop() };
};
