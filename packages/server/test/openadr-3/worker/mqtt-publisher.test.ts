import { atEnd } from "@curtail/testing/at-end";
import { withoutMosquitto } from "@curtail/testing/mosquitto";
import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { OUTSIDE_BROKER } from "../../../src/openadr-3/operations/broker-conditions.js";
import type { Publications } from "../../../src/openadr-3/operations/publication.js";
import { publications } from "../../../src/openadr-3/storage/publications.js";
import { BrokerLink } from "../../../src/openadr-3/worker/broker-link.js";
import { MqttPublisher } from "../../../src/openadr-3/worker/mqtt-publisher.js";
import { cursorLease } from "../../../src/platform/database/cursor-lease.js";
import type { CursorLease } from "../../../src/platform/follower.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";
import { type FakeClock, fakeClock } from "../../support/fake-clock.js";
import { type Subscriber, subscriberAt } from "../../support/mqtt-broker.js";
import { newBroker, wayTo } from "../../support/way-to-broker.js";

const KILL_POINTS = ["before the effect", "in the effect", "between", "after the cursor"] as const;
type KillPoint = (typeof KILL_POINTS)[number];

/** Whether each was heard after all before it; what is heard again is followed by what came after it. */
const isInOrder = (heard: readonly number[]): boolean =>
  heard.every((number, index) => number <= Math.max(0, ...heard.slice(0, index)) + 1);

describe.skipIf(withoutMosquitto !== null)("publishers of two processes (skipped without mosquitto)", () => {
  let database: TestDatabase;
  let broker: Awaited<ReturnType<typeof newBroker>>;
  let hears: Subscriber;

  beforeAll(async () => {
    broker = await newBroker();
    hears = await subscriberAt(broker.url, {});
    await hears.subscribe("programs/update");
    database = await cloneDatabase();
    atEnd(() => database.drop());
  });

  /** A process that can be killed: it reaches neither the database nor the broker from then on. */
  const publishing = async (clock: FakeClock, killsAt: KillPoint | null, movesFirst = false) => {
    const way = await wayTo(broker.port);
    let isKilled = false;
    const kill = (): void => {
      isKilled = true;
      way.cut();
    };
    const pool = {
      query: (...asked: Parameters<pg.Pool["query"]>) =>
        isKilled ? Promise.reject(new Error("killed")) : database.servicePool.query(...asked),
    } as unknown as pg.Pool;
    const pass = (point: KillPoint): void => {
      if (point === killsAt) kill();
    };
    const stored = cursorLease(pool, OUTSIDE_BROKER);
    const lease: CursorLease = {
      ...stored,
      async move(...moved) {
        pass("between");
        const isMoved = await stored.move(...moved);
        pass("after the cursor");
        return isMoved;
      },
    };
    const read = publications(pool);
    const since: Publications["since"] = async (...asked) => {
      const found = await read.since(...asked);
      if (movesFirst)
        await pool.query("update followers set seen = pg_current_snapshot() where name = $1", [OUTSIDE_BROKER]);
      if (found.changes.length > 0) pass("before the effect");
      return found;
    };
    let answers = 0;
    way.answered = () => {
      // The first one is that to the connection.
      if (++answers === 2) pass("in the effect");
    };
    const connection = {
      url: way.url,
      username: null,
      password: null,
      asksForIdentifier: false,
      tls: async () => ({}),
    };
    const publisher = new MqttPublisher(
      {
        link: new BrokerLink(connection, clock),
        lease,
        publications: { ...read, since },
        clock,
        begin: async () => {},
        giveRights: async () => {},
      },
      { error: () => {}, warn: () => {}, info: () => {} },
    );
    publisher.start();
    atEnd(() => publisher.stop().catch(() => {}));
    return { publisher, isKilled: () => isKilled };
  };

  const update = (id: string, from: number, to: number) =>
    database.pool.query(
      `insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, at)
       select 'production', 'UPDATE', 'PROGRAM', $1, jsonb_build_object('id', $1::text, 'objectType', 'PROGRAM',
         'createdDateTime', '2026-11-28T00:00:00Z', 'modificationDateTime', '2026-11-28T00:00:00Z', 'programName', n::text), '{}', now()
       from generate_series($2::int, $3::int) as n order by n`,
      [id, from, to],
    );

  const heardOf = (id: string): number[] =>
    hears.heard.filter(({ body }) => body.object.id === id).map(({ body }) => Number(body.object.programName));

  const SUM = 60;
  const all = Array.from({ length: SUM }, (_, index) => index + 1);

  test.each(KILL_POINTS)(
    "nothing is lost, and order is kept, if one is killed %s and the other takes over",
    async (point) => {
      const id = `oap ${point}`;
      const clock = fakeClock();
      const killed = await publishing(clock, point);
      await expect
        .poll(async () => (await database.pool.query("select from followers where leased_by is not null")).rowCount)
        .toBe(1);
      const other = await publishing(clock, null);
      await update(id, 1, SUM / 2);
      killed.publisher.wake();
      other.publisher.wake();
      await expect.poll(killed.isKilled).toBe(true);
      await update(id, SUM / 2 + 1, SUM);
      clock.advance({ seconds: 11 });
      other.publisher.wake();
      await expect.poll(() => new Set(heardOf(id)).size).toBe(SUM);
      expect(isInOrder(heardOf(id))).toBe(true);
      // What was recorded is not told again.
      if (point === "after the cursor") expect(heardOf(id)).toEqual(all);
      await other.publisher.stop();
    },
  );

  test("is lost in such a kill if the cursor moves before the effect: the test finds what it looks for", async () => {
    const clock = fakeClock();
    const killed = await publishing(clock, "before the effect", true);
    await expect
      .poll(async () => (await database.pool.query("select from followers where leased_by is not null")).rowCount)
      .toBe(1);
    await update("oap lost", 1, 5);
    killed.publisher.wake();
    await expect.poll(killed.isKilled).toBe(true);
    const other = await publishing(clock, null);
    clock.advance({ seconds: 11 });
    await update("oap told", 1, 5);
    other.publisher.wake();
    await expect.poll(() => heardOf("oap told")).toEqual([1, 2, 3, 4, 5]);
    expect(heardOf("oap lost")).toEqual([]);
    await other.publisher.stop();
  });
});
