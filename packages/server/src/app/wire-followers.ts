import type pg from "pg";
import type { LoopClock } from "../platform/clock.js";
import { closePool, inTransaction, openFollowerPool } from "../platform/database/database.js";
import { describeFollowers, dueFaults, followerStore } from "../platform/database/follower-store.js";
import type { JournalTail } from "../platform/database/journal-tail.js";
import type { Follower } from "../platform/follower.js";
import type { Config } from "../platform/runtime/config.js";
import type { Logger } from "../platform/runtime/logger.js";
import type { SecretBox } from "../platform/secret-box.js";
import { FollowerWorker } from "../platform/worker/follower-worker.js";
import { leasedCursors } from "./followers.js";
import { logBroken } from "./log-broken.js";
import { type Stores, withinTransaction } from "./stores.js";
import type { Due } from "./wire-timetable.js";

interface FollowerWiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly clock: LoopClock;
  readonly secretBox: SecretBox;
  /** Not started yet. */
  readonly tail: JournalTail;
  readonly due: Due;
  readonly followers: ReadonlyArray<Follower<Stores>>;
}

/** Runs what follows the journal, in workers. */
export const wireFollowers = (wiring: FollowerWiring): { stop(): Promise<void> } => {
  const { config, logger, clock, secretBox, tail, due, followers } = wiring;
  if (!config.roles.includes("worker")) return { stop: async () => {} };
  const pool = openFollowerPool(wiring.pool, logBroken(logger));
  const worker = new FollowerWorker(followers, {
    transact: (work) =>
      inTransaction(pool, (client) => work(withinTransaction(client, secretBox), followerStore(client))),
    followed: () => due.wake(),
    clock,
    log: logger,
  });
  tail.feed(worker);
  due.on(dueFaults, worker);
  worker.start();
  const described = describeFollowers(pool, [...followers, ...leasedCursors(config)]).catch((error: unknown) =>
    logger.warn(
      { err: error },
      "what followers follow could not be recorded; their alarms and metrics say what was recorded before",
    ),
  );
  return {
    async stop() {
      await Promise.all([worker.stop(), described]);
      await closePool(pool);
    },
  };
};
