import { messagesToAddresses } from "../notification/followers/addressed-messages.js";
import { type PersonalNoticesPorts, personalNotices } from "../notification/followers/personal-notices.js";
import { messagesToPhones, type PhoneMessagesPorts } from "../notification/followers/phone-messages.js";
import { venPushes } from "../openadr/followers/ven-pushes.js";
import { openadr3Callbacks } from "../openadr-3/followers/openadr3-callbacks.js";
import { openadr3Projection, type ProjectionPorts } from "../openadr-3/followers/openadr3-projection.js";
import { OUTSIDE_BROKER } from "../openadr-3/operations/broker-conditions.js";
import { closePool, inTransaction, openFollowerPool } from "../platform/database/database.js";
import { describeFollowers, dueFaults, followerStore } from "../platform/database/follower-store.js";
import type { Follower, FollowerDescription } from "../platform/follower.js";
import type { Config } from "../platform/runtime/config.js";
import { FollowerWorker } from "../platform/worker/follower-worker.js";
import { settlement } from "../settlement/followers/settlement.js";
import { type Basis, logBroken, NOTHING, type Stopping } from "./basis.js";
import { type Stores, withinTransaction } from "./stores.js";

type FollowerPorts = ProjectionPorts & PersonalNoticesPorts & PhoneMessagesPorts;

/** Everything that follows changes with a cursor that moves in the transaction of its effect. A migration makes the cursor, and removes it again. */
export const followersOver = (ports: FollowerPorts): ReadonlyArray<Follower<Stores>> => [
  openadr3Projection(ports),
  openadr3Callbacks(ports),
  personalNotices(ports),
  messagesToPhones(ports),
  messagesToAddresses(ports),
  settlement,
  venPushes(ports),
];

/** Cursors that are leased, as their effect is outside of the database. Without an outside broker nothing waits for it. */
export const leasedCursors = ({
  openadr3MqttUrl: url,
}: Pick<Config, "openadr3MqttUrl">): readonly FollowerDescription[] => [
  {
    name: OUTSIDE_BROKER,
    stream: "openadr3_changes",
    kinds: url === null ? [] : ["openadr3.change"],
    behindAfterSeconds: null,
  },
];

/** Runs what follows the journal, in workers. */
export const wireFollowers = (basis: Basis, ports: FollowerPorts): Stopping => {
  const { config, logger, clock, secretBox, tail, due } = basis;
  if (!config.roles.includes("worker")) return NOTHING;
  const followers = followersOver(ports);
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
