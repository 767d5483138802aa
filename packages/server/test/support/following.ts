import { atEndOfUse } from "@curtail/testing/at-end";
import type pg from "pg";
import type { Within } from "../../src/platform/answer-once.js";
import { appended } from "../../src/platform/database/commits.js";
import {
  closePool,
  inTransaction,
  openFollowerPool,
  openJournalPool,
  openPool,
  savepoint,
} from "../../src/platform/database/database.js";
import { dueTimes } from "../../src/platform/database/due-work.js";
import { dueFaults, followerStore } from "../../src/platform/database/follower-store.js";
import { journal } from "../../src/platform/database/journal.js";
import { JournalTail } from "../../src/platform/database/journal-tail.js";
import type { Follower, FollowerStore } from "../../src/platform/follower.js";
import type { JournalEntry, JournalKind, StreamName } from "../../src/platform/journal.js";
import { Timetable } from "../../src/platform/timetable.js";
import { FollowerWorker } from "../../src/platform/worker/follower-worker.js";
import type { TestDatabase } from "./database.js";
import { type FakeClock, fakeClock } from "./fake-clock.js";

/** What followers of these tests write to. */
export interface Marking {
  readonly db: pg.PoolClient;
}

/** Where a process is killed: as far as the database can tell, its connection breaks. */
export type KillPoint = "before the effect" | "between" | "after the cursor" | "after the commit";

export interface FollowingOptions {
  readonly clock?: FakeClock;
  /** Asked each time such a point is reached. */
  readonly killsAt?: (point: KillPoint) => boolean;
  /** A cursor in transactions of its own, as it must not be. */
  readonly isApart?: boolean;
}

export interface FollowingProcess {
  readonly pool: pg.Pool;
  /** The connections of the followers. */
  readonly followerPool: pg.Pool;
  readonly clock: FakeClock;
  stop(): Promise<void>;
}

export const append = (
  db: pg.Pool | pg.PoolClient,
  subject: string,
  kind: JournalKind = "alarm.raise",
): Promise<void> => journal(db).append([{ at: new Date(), kind, subject }]);

const change = async (db: pg.Pool | pg.PoolClient, subject: string): Promise<void> => {
  await db.query(
    `insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, at)
     values ('production', 'UPDATE', 'REPORT', $1, '{}', '{}', now())`,
    [subject],
  );
  appended(db, "openadr3.change");
};

/** What is followed by `marking` in each stream. */
export const streams = {
  journal: { kinds: ["alarm.raise"], append },
  openadr3_changes: { kinds: ["openadr3.change"], append: change },
} as const satisfies Record<StreamName, object>;

/** A table of marks, and what followers have made of the journal in it. */
export const marksIn = async ({ pool }: TestDatabase) => {
  await pool.query(
    "create table marks (place bigint generated always as identity, follower text, entry bigint, subject text)",
  );
  return {
    async of(follower: string): Promise<string[]> {
      const { rows } = await pool.query<{ subject: string }>(
        "select subject from marks where follower = $1 order by place",
        [follower],
      );
      return rows.map(({ subject }) => subject);
    },
  };
};

/** A follower with a cursor from now on, that marks each entry once it has looked at it. */
export const marking = async (
  { pool }: TestDatabase,
  name: string,
  {
    look = async () => {},
    stream = "journal",
    ...given
  }: Partial<Follower<Marking>> & { readonly look?: (entry: JournalEntry) => Promise<void> } = {},
): Promise<Follower<Marking>> => {
  const { kinds } = streams[stream];
  await pool.query(
    "insert into followers (name, stream, seen, kinds, behind_after_seconds) values ($1, $2, pg_current_snapshot(), $3, 15)",
    [name, stream, kinds],
  );
  return {
    name,
    stream,
    kinds,
    by: "entry",
    atOnce: 4,
    behindAfterSeconds: 15,
    async handle(batch, { stores }) {
      for (const entry of batch) {
        await look(entry);
        await mark(stores.db, name, entry);
      }
      return { more: false };
    },
    rebuild: async () => false,
    ...given,
  };
};

export const mark = async (db: pg.PoolClient, follower: string, { seq, subject }: JournalEntry): Promise<void> =>
  void (await db.query("insert into marks (follower, entry, subject) values ($1, $2, $3)", [follower, seq, subject]));

/** The followers of a process of its own. */
export const followingProcess = async (
  { connection, pool: owner }: TestDatabase,
  followers: ReadonlyArray<Follower<Marking>>,
  { clock = fakeClock(), killsAt = () => false, isApart = false }: FollowingOptions = {},
): Promise<FollowingProcess> => {
  const pool = openPool({ ...connection }, () => {}, { name: "curtail tests" });
  const [own, listening] = [openFollowerPool(pool, () => {}), openJournalPool(pool, () => {})];
  const killAt = async (point: KillPoint, client: pg.PoolClient): Promise<void> => {
    if (killsAt(point)) await client.query("select pg_terminate_backend(pg_backend_pid())");
  };
  const placesOf = (client: pg.PoolClient): FollowerStore => {
    const store = followerStore(isApart ? owner : client);
    const take: FollowerStore["take"] = async (...reading) => {
      const unseen = await store.take(...reading);
      await killAt("before the effect", client);
      return unseen;
    };
    const move: FollowerStore["move"] = async (...moved) => {
      await killAt("between", client);
      await store.move(...moved);
      await killAt("after the cursor", client);
    };
    return { ...store, take, move };
  };
  const worker = new FollowerWorker(followers, {
    async transact(work) {
      const done = await inTransaction(own, async (client) => {
        const handed: Within<Marking> = {
          stores: { db: client },
          transact: (part) => savepoint(client, () => part({ db: client })),
        };
        return work(handed, placesOf(client));
      });
      if (killsAt("after the commit")) throw new Error("Connection terminated unexpectedly");
      return done;
    },
    followed: () => {},
    clock,
    log: { warn: () => {}, error: () => {} },
  });
  const tail = new JournalTail({ journal: listening, pool, clock, onError: () => {} });
  const timetable = new Timetable({ read: dueTimes(pool), clock, onError: () => {} });
  tail.feed(worker);
  timetable.on(dueFaults, worker);
  for (const each of [worker, tail, timetable]) each.start();
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await Promise.all([tail, timetable].map((each) => each.stop()));
    await worker.stop();
    await Promise.all([own, listening, pool].map(closePool));
  };
  const started = { pool, followerPool: own, clock, stop: () => (stopping ??= stop()) };
  atEndOfUse(started.stop);
  return started;
};
