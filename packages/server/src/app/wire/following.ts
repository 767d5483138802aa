import type { KeyStore } from "../../access/operations/access-stores.js";
import type { ListMemory } from "../../dispatch/http/list-memory.js";
import type { DispatchStreamPorts } from "../../dispatch/http/participant-dispatch-stream.js";
import { type FollowPorts, LiveDispatches } from "../../dispatch/operations/follow-dispatches.js";
import { LiveChanges } from "../../oversight/operations/watch-changes.js";
import { watchedDispatches } from "../../oversight/storage/change-reader.js";
import type { LoopClock } from "../../platform/clock.js";
import type { JournalTail } from "../../platform/database/journal-tail.js";
import type { JournalKind } from "../../platform/journal.js";
import { Polling } from "../../platform/polling.js";
import type { Logger } from "../../platform/runtime/logger.js";
import type { ReadStamps } from "../../platform/stamps.js";
import type { Basis, Stopping } from "../basis.js";

/** Each takes some 50 KB of memory and a socket. */
const MOST_STREAMS = 5000;

export interface FollowingWiring {
  readonly readStamps: ReadStamps;
  readonly listsOf: FollowPorts["listsOf"];
  readonly keys: Pick<KeyStore, "accepted">;
  readonly clock: LoopClock;
  readonly logger: Logger;
  readonly tail: Pick<JournalTail, "wakeOn">;
  /** Of the entries after which lists or keys may be others. */
  readonly kinds: readonly JournalKind[];
}

export interface Following {
  readonly ports: DispatchStreamPorts;
  stop(): Promise<void>;
}

/** Streams of dispatches of one environment, in every process that serves them. */
export const wireFollowing = ({ logger, clock, tail, kinds, ...ports }: FollowingWiring): Following => {
  const live = new LiveDispatches({ ...ports, clock, wake: () => polling.wake(), most: MOST_STREAMS });
  const polling = new Polling({
    look: () => live.look(),
    onError: (error) => logger.warn({ err: error }, "dispatches could not be read; streams are updated later"),
    clock,
    everyMs: () => live.restMs(),
  });
  tail.wakeOn(kinds, () => polling.wake());
  polling.start();
  return { ports: { live, clock, random: Math.random }, stop: () => polling.stop() };
};

/** Lists of production: from the memory that polls are answered from. */
export const rememberedLists =
  (lists: Pick<ListMemory, "known" | "find">): FollowPorts["listsOf"] =>
  (accountIds, { dispatches: stamp }) =>
    Promise.all(accountIds.map(async (id) => lists.known(id, stamp) ?? lists.find(id, stamp)));

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
