import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { followerLags } from "../../../src/oversight/storage/gauges.js";
import { openFollowerPool } from "../../../src/platform/database/database.js";
import { NewerFormat } from "../../../src/platform/newer-format.js";
import { fakeClock } from "../../support/fake-clock.js";
import { database, faultsOf, marks, newName, prepare } from "../../support/follower-workers.js";
import { append, followingProcess, mark, marking } from "../../support/following.js";

beforeAll(prepare);

describe("a follower that fails on a subject", () => {
  test("tries what is stuck every five minutes", async () => {
    const name = newName();
    let tries = 0;
    const look = async (): Promise<void> => {
      if (tries++ < 7) throw new Error("not yet");
    };
    const { clock } = await followingProcess(database, [await marking(database, name, { look })]);
    await append(database.pool, "late");
    await expect.poll(() => tries).toBe(1);
    for (const [index, seconds] of [1, 2, 5, 10, 30, 300, 300].entries()) {
      clock.advance({ seconds: seconds - 1 });
      await sleep(30);
      expect(tries).toBe(index + 1);
      clock.advance({ seconds: 1 });
      await expect.poll(() => tries).toBe(index + 2);
    }
    await expect.poll(() => marks.of(name)).toEqual(["late"]);
  });

  test("waits for a newer version without counting, and raises no alarm of being stuck", async () => {
    const name = newName();
    let isNewer = true;
    const look = async (): Promise<void> => {
      if (isNewer) throw new NewerFormat("what it follows");
    };
    const { clock } = await followingProcess(database, [await marking(database, name, { look })]);
    await append(database.pool, "newer");
    for (let times = 0; times < 7; times++) {
      clock.advance({ seconds: 10 });
      await expect
        .poll(async () => (await faultsOf(name))[0]?.next_attempt_at)
        .toEqual(new Date(clock.now().getTime() + 10_000));
    }
    expect((await faultsOf(name))[0]?.failures).toBe(0);
    expect((await followerLags(database.pool, new Date(Date.now() + 60_000))).get(name)).toBeGreaterThan(30);
    isNewer = false;
    clock.advance({ seconds: 10 });
    await expect.poll(() => marks.of(name)).toEqual(["newer"]);
  });
});

describe("a slow follower", () => {
  test("has entries one by one after two seconds, each in a transaction of its own", async () => {
    const name = newName();
    const sizes: number[] = [];
    const follower = await marking(database, name, {
      async handle(batch, { stores }) {
        sizes.push(batch.length);
        if (batch.length > 1) await sleep(2100);
        for (const entry of batch) await mark(stores.db, name, entry);
        return { more: false };
      },
    });
    for (const subject of ["a", "b", "c"]) await append(database.pool, subject);
    await followingProcess(database, [follower]);
    await expect.poll(() => marks.of(name)).toEqual(["a", "b", "c"]);
    expect(sizes).toEqual([3, 1, 1, 1]);
  });
});

describe("a process that stops with a cursor in its hands", () => {
  test("keeps it for five seconds at most: another one goes on then, without being woken", async () => {
    const name = newName();
    const follower = await marking(database, name);
    const stopped = openFollowerPool(database.pool, () => {});
    const client = await stopped.connect();
    client.on("error", () => {});
    await client.query("begin");
    await client.query("select from followers where name = $1 for update", [name]);
    await followingProcess(database, [follower]);
    await append(database.pool, "held");
    await sleep(1500);
    expect(await marks.of(name)).toEqual([]);
    await expect.poll(() => marks.of(name)).toEqual(["held"]);
    client.release(true);
    await stopped.end();
  });
});

describe("an idle follower", () => {
  test("sends nothing; its cursor moves every ten minutes while others' entries come", async () => {
    const name = newName();
    const clock = fakeClock();
    const { followerPool } = await followingProcess(database, [await marking(database, name)], { clock });
    await expect.poll(() => followerPool.totalCount).toBeGreaterThan(0);
    await sleep(100);
    const statements = vi.spyOn(followerPool, "connect");
    const seen = async () =>
      (await database.pool.query("select seen::text from followers where name = $1", [name])).rows[0]?.seen;
    const before = await seen();
    await append(database.pool, "of another kind", "alarm.clear");
    await sleep(700);
    expect([statements.mock.calls.length, await seen()]).toEqual([0, before]);
    clock.advance({ minutes: 10 });
    await database.pool.query("update followers set moved_at = $2 where name = $1", [
      name,
      new Date(clock.now().getTime() - 600_000),
    ]);
    await append(database.pool, "of another kind", "alarm.clear");
    await expect.poll(seen).not.toBe(before);
  });
});
