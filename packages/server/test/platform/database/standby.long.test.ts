import { atEnd } from "@curtail/testing/at-end";
import { type Standby, startSystemPostgres, systemPostgres } from "@curtail/testing/system-postgres";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { advisoryLocks } from "../../../src/platform/database/advisory-locks.js";
import { listenForCommits } from "../../../src/platform/database/commit-listener.js";
import {
  openFollowerPool,
  openJournalPool,
  openPool,
  openQueuePool,
  openSandboxPool,
  openTimetablePool,
} from "../../../src/platform/database/database.js";
import { heldLock } from "../../../src/platform/database/held-lock.js";
import { isDatabaseAway } from "../../../src/platform/database-away.js";

const bin = systemPostgres();

const ignored = (): void => {};

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

/** Connections that were made so far. */
const sessionsOf = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query("select sessions from pg_stat_database where datname = current_database()");
  return Number(rows[0]?.sessions);
};

describe.skipIf(bin === null)("a standby (needs postgresql-15 or newer installed)", () => {
  let primaryUrl: string;
  let standby: Standby;
  let pool: pg.Pool;
  /** A client that does not ask what it is connected to. */
  let careless: pg.Client;

  beforeAll(async () => {
    const primary = await startSystemPostgres(bin ?? "");
    atEnd(() => primary.remove());
    primaryUrl = primary.url;
    standby = await primary.addStandby("standby");
    pool = openPool({ connectionString: standby.url }, ignored);
    atEnd(() => pool.end());
    careless = new pg.Client({ connectionString: standby.url });
    await careless.connect();
    atEnd(() => careless.end());
  });

  const others = () => ({
    sandbox: openSandboxPool(pool, ignored),
    queues: openQueuePool(pool, ignored),
    followers: openFollowerPool(pool, ignored),
    timetable: openTimetablePool(pool, ignored),
    journal: openJournalPool(pool, ignored),
    unheard: openJournalPool(pool, ignored, { listens: false }),
  });

  test("answers reads of a client that does not ask", async () => {
    expect((await careless.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });

  test("gets into no pool: the database counts as away", async () => {
    for (const [name, each] of Object.entries({ main: pool, ...others() })) {
      const failure = await failureOf(each.query("select 1"));
      expect([name, isDatabaseAway(failure)]).toEqual([name, true]);
      expect([name, each.totalCount]).toEqual([name, 0]);
      if (each !== pool) await each.end();
    }
  });

  test("gives no lock that a process at the primary may have", async () => {
    const own = heldLock({ connectionString: primaryUrl }, "backup");
    const strayed = heldLock({ connectionString: standby.url }, "backup");
    expect(await own.isHeld()).toBe(true);
    const { rows } = await careless.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      advisoryLocks.backup,
    ]);
    expect(rows[0]?.taken).toBe(true);
    await careless.query("select pg_advisory_unlock_all()");
    expect(isDatabaseAway(await failureOf(strayed.isHeld()))).toBe(true);
    await own.release();
  });

  test("is not listened to until it is promoted, and then used by what was refused", async () => {
    const before = await sessionsOf(careless);
    let woken = 0;
    const listener = listenForCommits(pool.options, { commits: () => woken++ });
    atEnd(() => listener.stop());
    await expect.poll(() => sessionsOf(careless)).toBeGreaterThanOrEqual(before + 2);
    expect(woken).toBe(0);
    standby.promote();
    await expect.poll(() => woken).toBe(1);
    await pool.query("notify commits");
    await expect.poll(() => woken).toBe(2);
    const lock = heldLock({ connectionString: standby.url }, "backup");
    expect(await lock.isHeld()).toBe(true);
    await lock.release();
  });
});
