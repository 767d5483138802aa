import { closePool, inTransaction, openFollowerPool } from "../../platform/database/database.js";
import { describeFollowers, dueFaults, followerStore } from "../../platform/database/follower-store.js";
import type { Follower } from "../../platform/follower.js";
import { FollowerWorker } from "../../platform/worker/follower-worker.js";
import { type Basis, logBroken, NOTHING, type Stopping } from "../basis.js";
import { leasedCursors } from "../followers.js";
import { type Stores, withinTransaction } from "../stores.js";

/** Runs what follows the journal, in workers. */
export const wireFollowers = (basis: Basis, followers: ReadonlyArray<Follower<Stores>>): Stopping => {
  const { config, logger, clock, secretBox, tail, due } = basis;
  if (!config.roles.includes("worker")) return NOTHING;
  const pool = openFollowerPool(basis.pool, logBroken(logger));
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
