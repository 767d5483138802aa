import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "@curtail/testing/at-end";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { followersOver, leasedCursors } from "../../../src/app/followers.js";
import { alarmStore } from "../../../src/oversight/storage/alarm-store.js";
import { followerStates } from "../../../src/oversight/storage/follower-states.js";
import { followerFaults } from "../../../src/oversight/storage/gauges.js";
import { describeFollowers } from "../../../src/platform/database/follower-store.js";
import { lastOfEach } from "../../../src/platform/follower.js";
import type { JournalEntry, StreamName } from "../../../src/platform/journal.js";
import { caughtUp } from "../../support/caught-up.js";
import { cloneDatabase } from "../../support/database.js";
import { fakeClock } from "../../support/fake-clock.js";
import { database, entry, faultsOf, marks, newName, prepare } from "../../support/follower-workers.js";
import { append, followingProcess, type KillPoint, mark, marking, streams } from "../../support/following.js";

beforeAll(prepare);

const beginning = async (): Promise<pg.PoolClient> => {
  const client = await database.pool.connect();
  await client.query("begin");
  return client;
};

const ending = async (client: pg.PoolClient, how: "commit" | "rollback"): Promise<void> => {
  await client.query(how);
  client.release();
};

const POINTS: readonly KillPoint[] = ["before the effect", "between", "after the cursor", "after the commit"];

type Act = "append" | "commit" | "roll back" | "rest";
const steps = fc.array(
  fc.record({
    act: fc.constantFrom<Act>("append", "append", "append", "append", "commit", "commit", "roll back", "rest"),
    writer: fc.nat(2),
  }),
  { minLength: 10, maxLength: 40 },
);
/** How often each point is passed before a process is killed there, and which entry fails once. */
const faults = fc.record({
  kills: fc.array(fc.record({ point: fc.constantFrom(...POINTS), after: fc.nat(3) }), { maxLength: 6 }),
  fails: fc.nat(20),
});

/** Carries out the steps over transactions that are open side by side; returns the subjects that were committed. */
const write = async (
  taken: ReadonlyArray<{ readonly act: Act; readonly writer: number }>,
  name: string,
  stream: StreamName,
): Promise<string[]> => {
  const committed: string[] = [];
  const open = new Map<number, { client: pg.PoolClient; subjects: string[] }>();
  let number = 0;
  const end = async (writer: number, how: "commit" | "rollback"): Promise<void> => {
    const held = open.get(writer);
    if (held === undefined) return;
    open.delete(writer);
    await ending(held.client, how);
    if (how === "commit") committed.push(...held.subjects);
  };
  for (const { act, writer } of taken) {
    if (act === "rest") await sleep(5);
    else if (act === "append") {
      const held = open.get(writer) ?? { client: await beginning(), subjects: [] };
      open.set(writer, held);
      const subject = `${name}-${number++}`;
      await streams[stream].append(held.client, subject);
      held.subjects.push(subject);
    } else await end(writer, act === "commit" ? "commit" : "rollback");
  }
  for (const writer of open.keys()) await end(writer, "commit");
  return committed;
};

describe.each(["journal", "openadr3_changes"] as const)("each committed entry of %s", (stream) => {
  const { append: appendTo } = streams[stream];

  test("is followed once, whatever is killed, fails or stays open, by two processes", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, faults, async (taken, { kills, fails }) => {
        const name = newName();
        const left = kills.map((kill) => ({ ...kill }));
        const killsAt = (point: KillPoint): boolean => {
          const kill = left.find((each) => each.point === point);
          if (kill === undefined || kill.after-- > 0) return false;
          left.splice(left.indexOf(kill), 1);
          return true;
        };
        let looked = 0;
        const follower = await marking(database, name, {
          stream,
          look: async () => {
            if (looked++ === fails) throw new Error("fails once");
          },
        });
        const clock = fakeClock();
        const processes = [
          await followingProcess(database, [follower], { killsAt, clock }),
          await followingProcess(database, [follower], { killsAt, clock }),
        ];
        const committed = await write(taken, name, stream);
        // What failed by itself is tried again after a second.
        const passing = setInterval(() => clock.advance({ seconds: 1 }), 50);
        await caughtUp(database.pool, name).finally(() => clearInterval(passing));
        await Promise.all(processes.map((each) => each.stop()));
        const followed = (await marks.of(name)).filter((subject) => subject.startsWith(`${name}-`));
        expect(followed.toSorted()).toEqual(committed.toSorted());
        expect(await faultsOf(name)).toEqual([]);
      }),
      { numRuns: propertyRuns(3, { atMost: 60 }) },
    );
  });

  test.each(POINTS)("is followed once if its process is killed %s", async (point) => {
    const name = newName();
    let kills = 1;
    const follower = await marking(database, name, { stream });
    await followingProcess(database, [follower], { killsAt: (at) => at === point && kills-- > 0 });
    for (const subject of ["a", "b", "c"]) await appendTo(database.pool, `${name} ${subject}`);
    await expect.poll(() => marks.of(name)).toEqual(["a", "b", "c"].map((subject) => `${name} ${subject}`));
    expect(kills).toBeLessThanOrEqual(0);
  });

  test("is lost in such a kill if the cursor moves in a transaction of its own: the test finds what it looks for", async () => {
    const name = newName();
    let kills = 1;
    const follower = await marking(database, name, { stream });
    await followingProcess(database, [follower], {
      killsAt: (at) => at === "after the cursor" && kills-- > 0,
      isApart: true,
    });
    await appendTo(database.pool, "lost");
    await expect.poll(() => kills).toBeLessThanOrEqual(0);
    await appendTo(database.pool, "followed");
    await expect.poll(() => marks.of(name)).toEqual(["followed"]);
  });

  test("of a long transaction is followed when it commits, and delays no other meanwhile", async () => {
    const name = newName();
    await followingProcess(database, [await marking(database, name, { stream })]);
    const long = await beginning();
    await appendTo(long, "long");
    await appendTo(database.pool, "short");
    await expect.poll(() => marks.of(name)).toEqual(["short"]);
    await ending(long, "commit");
    await appendTo(database.pool, "later");
    await expect.poll(async () => (await marks.of(name)).toSorted()).toEqual(["later", "long", "short"]);
  });
});

describe("each committed entry", () => {
  test("of its kinds is followed, of a backlog of many pages and of what is appended meanwhile", async () => {
    const name = newName();
    let sum = 0;
    const follower = await marking(database, name, {
      // What comes between two pages.
      look: async () => void (++sum % 7 === 0 && sum < 100 && (await append(database.pool, `${name} more ${sum}`))),
    });
    for (let number = 0; number < 50; number++) {
      await append(database.pool, `${name} ${number}`);
      await append(database.pool, `${name} other`, "alarm.clear");
    }
    await followingProcess(database, [follower]);
    await caughtUp(database.pool, name);
    const followed = await marks.of(name);
    expect(followed.filter((subject) => /\d$/.test(subject) && !subject.includes("more"))).toHaveLength(50);
    expect(followed).not.toContain(`${name} other`);
    expect(followed.filter((subject) => subject.includes("more")).length).toBeGreaterThan(5);
    expect(new Set(followed).size).toBe(followed.length);
  });
});

describe("a follower that fails on a subject", () => {
  test("goes on with the others, and tries that one again in its order", async () => {
    const [name, other] = [newName(), newName()];
    let isBroken = true;
    const look = async ({ subject }: JournalEntry): Promise<void> => {
      if (subject.startsWith("bad") && isBroken) throw new Error("cannot follow this");
    };
    const { clock } = await followingProcess(database, [
      await marking(database, name, { look }),
      await marking(database, other),
    ]);
    for (const subject of ["good", "bad", "fine", "bad", "bad"]) await append(database.pool, subject);
    await expect.poll(() => marks.of(name)).toEqual(["good", "fine"]);
    await expect.poll(() => marks.of(other)).toEqual(["good", "bad", "fine", "bad", "bad"]);
    for (const seconds of [1, 2, 5, 10]) {
      const [before] = await faultsOf(name);
      clock.advance({ seconds });
      await expect.poll(async () => (await faultsOf(name))[0]?.failures).toBe((before?.failures ?? 0) + 1);
    }
    expect((await faultsOf(name)).map(({ subject, failures }) => [subject, failures])).toEqual([
      ["bad", 5],
      ["bad", 0],
      ["bad", 0],
    ]);
    const [alarm, ...more] = await alarmStore(database.pool).conditions(new Date(), ["follower_stuck"]);
    expect(more).toEqual([]);
    expect(alarm).toMatchObject({ kind: "follower_stuck", subject: `${name} bad`, accountId: null });
    expect(alarm?.message).toContain(`curtail admin followers retry ${name}`);
    expect((await followerFaults(database.pool)).get(name)).toBe(3);
    // Later changes of the subject wait, those of others do not.
    await append(database.pool, "bad");
    await append(database.pool, "last");
    await expect.poll(() => marks.of(name)).toEqual(["good", "fine", "last"]);
    isBroken = false;
    await followerStates(database.pool).retry(name, clock.now());
    await expect.poll(() => marks.of(name)).toEqual(["good", "fine", "last", "bad", "bad", "bad", "bad"]);
    expect(await faultsOf(name)).toEqual([]);
    expect(await alarmStore(database.pool).conditions(new Date(), ["follower_stuck"])).toEqual([]);
    await caughtUp(database.pool, name);
  });

  test("leaves nothing of what it did before it failed", async () => {
    const name = newName();
    let tries = 0;
    const follower = await marking(database, name, {
      async handle(batch, { stores }) {
        for (const entry of batch) await mark(stores.db, name, entry);
        if (++tries < 3) throw new Error("after its effect");
        return { more: false };
      },
    });
    const { clock } = await followingProcess(database, [follower]);
    await append(database.pool, "once");
    await expect.poll(() => tries).toBeGreaterThan(0);
    await expect
      .poll(async () => {
        clock.advance({ seconds: 1 });
        return marks.of(name);
      })
      .toEqual(["once"]);
  });
});

describe("a slow follower", () => {
  test("delays no other", async () => {
    const [slow, quick] = [newName(), newName()];
    const releasing = new EventEmitter();
    const held = once(releasing, "release");
    const followers = [
      await marking(database, slow, { look: async () => void (await held) }),
      await marking(database, quick),
    ];
    await followingProcess(database, followers);
    await append(database.pool, "both");
    await expect.poll(() => marks.of(quick)).toEqual(["both"]);
    expect(await marks.of(slow)).toEqual([]);
    releasing.emit("release");
    await expect.poll(() => marks.of(slow)).toEqual(["both"]);
  });

  test("may do its work in parts, with the same entries until all is done", async () => {
    const name = newName();
    const batches: string[] = [];
    const follower = await marking(database, name, {
      async handle(batch, { stores }) {
        batches.push(batch.map(({ subject }) => subject).join(" "));
        if (batches.length < 3) {
          // Comes in between.
          await append(database.pool, `later ${batches.length}`);
          return { more: true };
        }
        for (const entry of batch) await mark(stores.db, name, entry);
        return { more: false };
      },
    });
    for (const subject of ["a", "b"]) await append(database.pool, subject);
    await followingProcess(database, [follower]);
    await expect.poll(() => marks.of(name)).toEqual(["a", "b", "later 1", "later 2"]);
    expect(batches.slice(0, 3)).toEqual(["a b", "a b", "a b"]);
  });
});

describe("an idle follower", () => {
  test("is behind, by alarm and metric, while no process follows", async () => {
    const name = newName();
    const follower = await marking(database, name);
    await describeFollowers(database.pool, [follower]);
    await append(database.pool, "unseen");
    const conditionsIn = async (seconds: number) =>
      (await alarmStore(database.pool).conditions(new Date(Date.now() + seconds * 1000), ["follower_behind"])).filter(
        ({ subject }) => subject === name,
      );
    expect(await conditionsIn(10)).toEqual([]);
    expect(await conditionsIn(20)).toMatchObject([{ kind: "follower_behind", accountId: null }]);
    await followingProcess(database, [follower]);
    await expect.poll(() => conditionsIn(20)).toEqual([]);
  });
});

test("of entries that say the same of a subject the last is enough, in order", () => {
  const entries = [
    entry(1, "site.change", "a"),
    entry(2, "site.create", "a"),
    entry(3, "site.change", "a"),
    entry(4, "site.change", "a", ["acc"]),
    entry(5, "site.change", ""),
    entry(6, "site.change", ""),
    { ...entry(7, "site.change", "a"), environment: "sandbox" as const },
  ];
  expect(lastOfEach(entries).map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 7]);
});

test("every follower of the service has a cursor, and every cursor a follower", async () => {
  const fresh = await cloneDatabase();
  atEnd(() => fresh.drop());
  const { rows } = await fresh.pool.query<{ name: string }>("select name from followers order by name");
  // Only their names are asked for.
  const followers = [
    ...followersOver({} as Parameters<typeof followersOver>[0]),
    ...leasedCursors({ openadr3MqttUrl: null }),
  ];
  expect(rows.map(({ name }) => name)).toEqual(followers.map(({ name }) => name).toSorted());
});
