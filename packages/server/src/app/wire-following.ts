import type { KeyStore } from "../access/operations/account-ports.js";
import type { ListMemory } from "../dispatch/http/list-memory.js";
import type { DispatchStreamPorts } from "../dispatch/http/participant-dispatch-stream.js";
import { type FollowPorts, LiveDispatches } from "../dispatch/operations/follow-dispatches.js";
import type { LoopClock } from "../platform/clock.js";
import { Polling } from "../platform/polling.js";
import type { Logger } from "../platform/runtime/logger.js";
import type { ReadStamps } from "../platform/stamps.js";

/** Participants' systems are notified of a change within a second. */
const LOOK_MS = 250;
/** Each takes some 50 KB of memory and a socket. */
const MOST_STREAMS = 5000;

export interface FollowingWiring {
  readonly readStamps: ReadStamps;
  readonly listsOf: FollowPorts["listsOf"];
  readonly keys: Pick<KeyStore, "accepted">;
  readonly clock: LoopClock;
  readonly logger: Logger;
  /** Calls back whenever a dispatch was committed, where this process hears of it. */
  readonly onNotice: (wake: () => void) => void;
}

export interface Following {
  readonly ports: DispatchStreamPorts;
  stop(): Promise<void>;
}

/** Streams of dispatches of one environment, in every process that serves them. */
export const wireFollowing = ({ logger, clock, onNotice, ...ports }: FollowingWiring): Following => {
  const live = new LiveDispatches({ ...ports, clock, wake: () => polling.wake(), most: MOST_STREAMS });
  const polling = new Polling({
    async look() {
      await live.look();
      return false;
    },
    onError: (error) => logger.warn({ err: error }, "dispatches could not be read; streams are updated later"),
    clock,
    everyMs: LOOK_MS,
  });
  onNotice(() => polling.wake());
  polling.start();
  return { ports: { live, clock, random: Math.random }, stop: () => polling.stop() };
};

/** Lists of production: from the memory that polls are answered from. */
export const rememberedLists =
  (lists: Pick<ListMemory, "known" | "find">): FollowPorts["listsOf"] =>
  async (accountIds, { dispatches: stamp }) => {
    const answers = await Promise.all(accountIds.map(async (id) => lists.known(id, stamp) ?? lists.find(id, stamp)));
    return answers.map(({ dispatches }) => dispatches);
  };
