import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { venNoticeStore } from "../../../src/openadr/storage/ven-notice-store.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

const due = new Date("2026-07-01T18:00:00Z");
const after = (seconds: number): Date => new Date(due.getTime() + seconds * 1000);

let database: TestDatabase;

beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(() => database.drop());

/** Creates accounts with two sites each, all in one dispatch that is notified at `due`. */
const addDispatch = (accounts: number): Promise<unknown> =>
  database.pool.query(`
    insert into accounts (id, name, disabled, created_at)
      select 'acc_' || number, 'One', false, '2026-01-01' from generate_series(1, ${accounts}) as number;
    insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
      select 'site_' || number || letter, 'acc_' || number, '', '', '', 'UTC', '2026-01-01'
      from generate_series(1, ${accounts}) as number, unnest('{a,b}'::text[]) as letter;
    insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
        start_time, notification_time, modification_number, created_at, changed_at)
      values ('dis_1', 'prg_test_dispatch', '', 'UTC', '', 'not_specified', false, true, '2026-07-01T19:00:00Z',
        '2026-07-01T18:00:00Z', 0, '2026-07-01T17:00:00Z', '2026-07-01T17:00:00Z');
    insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
      select 'dis_1', key, id, account_id, '', '', '' from sites`);

const addRevision = (number: number, at: Date): Promise<unknown> =>
  database.pool.query(
    `insert into dispatch_revisions (dispatch_id, modification_number, at, actor, start_time, authorized)
     values ('dis_1', $1, $2, 'operator', '2026-07-01T19:00:00Z', true)`,
    [number, at],
  );

const addNotice = (event: string, number: number, dueAt: Date): Promise<unknown> =>
  database.pool.query(
    "insert into notices (dispatch_id, event, modification_number, due_at) values ('dis_1', $1, $2, $3)",
    [event, number, dueAt],
  );

const addVen = (
  id: string,
  { account = "acc_1", sites = null as string[] | null, created = after(-3600) } = {},
): Promise<unknown> =>
  database.pool.query(
    `insert into vens (id, account_id, ven_id, environment, site_ids, target_resource, target_ven_id, market_context,
       poll_interval_seconds, created_at)
     values ($1, $2, 'ven-' || $1, 'production', $3, 'site_id', false, '*', 10, $4)`,
    [id, account, sites, created],
  );

const record = (now: Date): Promise<boolean> => venNoticeStore(database.servicePool).record(now);

const recorded = async (): Promise<unknown[]> =>
  (await database.pool.query("select * from ven_notices order by modification_number, ven")).rows;

describe("recording the VENs of notices", () => {
  test("keeps each VEN as it was when the notice was due, those of its sites that were dispatched, and its deadline", async () => {
    await addDispatch(1);
    await addRevision(0, after(-3600));
    await addNotice("dispatch.create", 0, due);
    await addVen("all");
    await addVen("one", { sites: ["site_1b"] });
    await addVen("none", { sites: ["elsewhere"] });
    await addVen("later", { created: after(1) });
    await record(after(-1));
    expect(await recorded()).toEqual([]);
    await record(after(2));
    const kept = {
      dispatch_id: "dis_1",
      modification_number: 0,
      at: due,
      poll_interval_seconds: 10,
      poll_by: after(30),
    };
    expect(await recorded()).toEqual([
      { ...kept, ven: "all", ven_id: "ven-all", site_ids: null },
      { ...kept, ven: "one", ven_id: "ven-one", site_ids: ["site_1b"] },
    ]);
  });

  test("of a creation names the last state before its time, of an update its own", async () => {
    await addDispatch(1);
    for (const [number, seconds] of [
      [0, -3600],
      [1, -60],
      [2, 60],
      [3, 60],
    ] as const) {
      await addRevision(number, after(seconds));
    }
    await addNotice("dispatch.create", 0, due);
    await addNotice("dispatch.update", 2, after(60));
    await addNotice("dispatch.update", 3, after(60));
    await addVen("all");
    await record(after(61));
    expect(await recorded()).toMatchObject([
      { modification_number: 1, at: due },
      { modification_number: 2, at: after(60) },
      { modification_number: 3, at: after(60) },
    ]);
  });

  test("of a service that was down gives VENs their time from when it is back", async () => {
    await addDispatch(1);
    await addRevision(0, after(-3600));
    await addNotice("dispatch.create", 0, due);
    await addVen("all");
    await record(after(600));
    expect(await recorded()).toMatchObject([{ at: due, poll_by: after(630) }]);
  });

  test("leaves out disabled accounts, deleted VENs and notices that were taken back", async () => {
    await addDispatch(3);
    await addRevision(0, after(-3600));
    await addNotice("dispatch.create", 0, due);
    for (const number of [1, 2, 3]) await addVen(`ven_${number}`, { account: `acc_${number}` });
    await database.pool.query("update accounts set disabled = true where id = 'acc_1'");
    await database.pool.query("update vens set deleted_at = $1 where id = 'ven_2'", [after(-1)]);
    await record(after(1));
    expect(await recorded()).toMatchObject([{ ven: "ven_3" }]);
    const { rows } = await database.pool.query("select disabled_accounts from notices");
    expect(rows).toEqual([{ disabled_accounts: ["acc_1"] }]);
    await addNotice("dispatch.update", 1, after(2));
    await database.pool.query("update notices set state = 'dropped' where event = 'dispatch.update'");
    await record(after(3));
    expect(await recorded()).toHaveLength(1);
  });

  test("by several processes at once, and again, records each VEN once", async () => {
    await addDispatch(20);
    await addRevision(0, after(-3600));
    await addNotice("dispatch.create", 0, due);
    for (let number = 1; number <= 20; number++) await addVen(`ven_${number}`, { account: `acc_${number}` });
    await Promise.all(Array.from({ length: 4 }, () => record(after(1))));
    await record(after(100));
    expect(await recorded()).toHaveLength(20);
    for (const row of await recorded()) expect(row).toMatchObject({ poll_by: after(30) });
  });

  test("takes one statement for 200 accounts with 10,000 VENs of other accounts beside them", async () => {
    await addDispatch(200);
    await addRevision(0, after(-3600));
    await addNotice("dispatch.create", 0, due);
    await database.pool.query(`
      insert into accounts (id, name, disabled, created_at)
        select 'other_' || number, 'One', false, '2026-01-01' from generate_series(1, 10000) as number;
      insert into vens (id, account_id, ven_id, environment, target_resource, target_ven_id, market_context,
          poll_interval_seconds, created_at)
        select 'ven_' || id, id, id, 'production', 'site_id', false, '*', 10, '2026-01-01' from accounts`);
    const startedMs = performance.now();
    await record(after(1));
    const tookMs = performance.now() - startedMs;
    expect(await recorded()).toHaveLength(200);
    // Some 10 ms on an idle machine; as many statements as VENs would take a minute on a busy one.
    expect(tookMs).toBeLessThan(5000);
  });
});

describe("what evidence rests on", () => {
  test("cannot be changed or deleted, by the service or by the owner of the tables", async () => {
    await addDispatch(1);
    await addRevision(0, after(-3600));
    await addNotice("dispatch.create", 0, due);
    await addVen("all");
    await record(after(1));
    for (const change of [
      "update ven_notices set poll_by = now()",
      "delete from ven_notices",
      "delete from dispatch_reads",
      "delete from message_attempts",
      "delete from ven_showings",
      "delete from ven_acknowledgements",
      "delete from ven_omissions",
      "delete from ven_push_attempts",
      "delete from vens",
      "update vens set ven_id = 'another'",
      "delete from webhooks",
      "update webhooks set url = 'https://elsewhere.example'",
    ]) {
      await expect(database.pool.query(change), change).rejects.toThrow(/evidence rests on/);
      await expect(database.servicePool.query(change), change).rejects.toThrow(/evidence rests on|permission denied/);
    }
    for (const pool of [database.pool, database.servicePool])
      await expect(pool.query("delete from dispatch_revisions")).rejects.toThrow(/evidence rests on/);
  });
});
