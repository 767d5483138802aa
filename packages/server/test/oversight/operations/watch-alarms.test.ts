import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { storesOver, transactOver } from "../../../src/app/stores.js";
import { type AlarmChanges, judgeAlarms, type Observed } from "../../../src/oversight/operations/watch-alarms.js";
import { alarmLookStore } from "../../../src/oversight/storage/alarm-look-store.js";
import { isDistributed } from "../../../src/platform/database/shards.js";
import { isRefusal } from "../../../src/platform/refusal.js";
import { newId } from "../../../src/platform/runtime/secrets.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";
import { testSecretBox } from "../../support/secret-box.js";

const now = new Date("2026-07-01T18:00:00Z");
let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  // As a service does before anything else.
  await isDistributed(database.servicePool);
  await database.pool.query(`
    insert into accounts (id, name, disabled, created_at) values ('acc_1', 'Mills', false, now());
    insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
      values ('site_1', 'acc_1', 'Yard', '', '', 'UTC', now());
    insert into vens (id, account_id, ven_id, environment, target_resource, target_ven_id, market_context,
        poll_interval_seconds, created_at)
      values ('ven_1', 'acc_1', 'one', 'production', 'site_id', false, '*', 10, now())`);
});
afterAll(() => database.drop());
beforeEach(() =>
  database.pool.query(
    "delete from messages; delete from escalations; delete from alarms; delete from meters; delete from ven_certificates",
  ),
);

/** Raises battery_undecided. */
const addBattery = () =>
  database.pool.query(`
    insert into meters (id, site_id, name, asset_type, created_at, kwh_means)
      values ('mtr_1', 'site_1', 'Rack', 'battery', now(), 'undecided')`);

/** Raises certificate_expiring. */
const addCertificate = (expiresAt: Date) =>
  database.pool.query(
    `insert into ven_certificates (fingerprint, ven, pem, not_before, expires_at, created_at)
     values ('f', 'ven_1', '', $1, $1, $1)`,
    [expiresAt],
  );

/** To an account that nothing reached in time: raises notice_failed. */
const addOverdueMail = (dispatch: string) =>
  database.pool.query(`
    insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
        start_time, notification_time, modification_number, created_at, changed_at)
      values ('${dispatch}', 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, true, now(), now(), 0, now(), now());
    insert into notices (dispatch_id, event, modification_number, due_at, state)
      values ('${dispatch}', 'dispatch.create', 0, now(), 'sent');
    insert into messages (id, channel, recipient, account_id, detail, notice_seq, subject, event, state, reason, created_at, ended_at)
      select 'mail_1', 'email', 'acc_1', 'acc_1', '{}', seq, dispatch_id, event, 'failed', 'kept', now(), now()
      from notices where dispatch_id = '${dispatch}';
    insert into escalations (message_id, overdue_at) values ('mail_1', now())`);

const judge = async (observed?: Observed, clock = { now: () => now }): Promise<AlarmChanges> => {
  const { servicePool: pool } = database;
  const ports = { stores: storesOver(pool, testSecretBox), transact: transactOver(pool, testSecretBox), clock, newId };
  const changes = await judgeAlarms(observed === undefined ? ports : { ...ports, observed });
  if (isRefusal(changes)) throw new Error("it was refused");
  return changes;
};

/** By four processes at once. */
const judgeAtOnce = (): Promise<AlarmChanges[]> => Promise.all([judge(), judge(), judge(), judge()]);

/** What is sent to the database meanwhile. */
const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const sent = vi.spyOn(pg.Client.prototype, "query");
  await work();
  const count = sent.mock.calls.length;
  sent.mockRestore();
  return count;
};

const kindsOf = (alarms: ReadonlyArray<{ readonly kind: string }>): readonly string[] => alarms.map(({ kind }) => kind);

test("a look is one statement while nothing is wrong, and while what is wrong stays so", async () => {
  // The first query of a connection may be preceded by others.
  await judge();
  expect(await statementsOf(judge)).toBe(1);
  await addBattery();
  // Seen, begun, locked, mails, seen again, raised, committed.
  expect(await statementsOf(judge)).toBe(7);
  expect(await statementsOf(judge)).toBe(1);
});

test("rules about dispatches cost two more statements while one is not over: one asks for the newest readings of the log", async () => {
  await database.pool.query(`
    insert into programs (id, name, timezone, market, program_type, schedule_cutoff_seconds, created_at)
      values ('prg_1', 'Peaks', 'UTC', '', 'capacity', 0, now());
    insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
        start_time, end_time, notification_time, modification_number, created_at, changed_at)
      values ('dis_2', 'prg_1', 'Peaks', 'UTC', '', 'capacity', false, true, '2026-07-01T16:00:00Z', '2026-07-01T18:00:00Z',
        '2026-07-01T15:00:00Z', 0, now(), now())`);
  expect(await statementsOf(judge)).toBe(3);
  await database.pool.query("update dispatches set end_time = '2026-07-01T17:59:59.999Z' where id = 'dis_2'");
  expect(await statementsOf(judge)).toBe(1);
});

test("of what is observed only the settings are read by the same statement", async () => {
  await database.pool.query("insert into settings (name, value) values ('one', 'kept'), ('two', 'kept')");
  const seen: Array<ReadonlyMap<string, string>> = [];
  const observed: Observed = {
    settings: ["one", "none"],
    conditions: async (settings) => {
      seen.push(settings);
      return [];
    },
  };
  expect(await statementsOf(() => judge(observed))).toBe(1);
  expect(seen).toEqual([new Map([["one", "kept"]])]);
});

test("a mail to an account that was not reached costs six while it waits, and is settled by the look that finds it reached", async () => {
  await addOverdueMail("dis_1");
  expect(kindsOf((await judge()).raised)).toEqual(["notice_failed"]);
  // Seen, begun, locked, mails, who was reached, committed.
  expect(await statementsOf(judge)).toBe(6);
  await database.pool.query(`
    insert into phone_calls (dispatch_id, account_id, modification_number, at, recorded_at, person, note, actor)
      values ('dis_1', 'acc_1', 0, now(), now(), 'Anna', '', 'operator')`);
  expect(kindsOf((await judge()).cleared)).toEqual(["notice_failed"]);
  expect(await statementsOf(judge)).toBe(1);
});

test("alarms begin and end at the time of the look that decides, however long the first one took", async () => {
  const times = [
    now,
    new Date("2026-07-01T18:00:30Z"),
    new Date("2026-07-01T18:01:00Z"),
    new Date("2026-07-01T18:01:30Z"),
  ];
  const clock = { now: () => times.shift() ?? now };
  await addBattery();
  await judge(undefined, clock);
  await database.pool.query("delete from meters");
  await judge(undefined, clock);
  const { rows } = await database.pool.query("select raised_at, cleared_at from alarms");
  expect(rows).toEqual([{ raised_at: new Date("2026-07-01T18:00:30Z"), cleared_at: new Date("2026-07-01T18:01:30Z") }]);
});

test("a mail that is sent at last clears its alarm, and is settled by the same look", async () => {
  await addOverdueMail("dis_3");
  await judge();
  await database.pool.query("update messages set state = 'delivered', reason = null, modification = 0");
  expect(kindsOf((await judge()).cleared)).toEqual(["notice_failed"]);
  expect(await statementsOf(judge)).toBe(1);
});

test("processes that look at once raise and clear an alarm once", async () => {
  await addBattery();
  expect((await judgeAtOnce()).flatMap(({ raised }) => kindsOf(raised))).toEqual(["battery_undecided"]);
  await database.pool.query("delete from meters");
  expect((await judgeAtOnce()).flatMap(({ cleared }) => kindsOf(cleared))).toEqual(["battery_undecided"]);
});

test("each kind can be evaluated by itself", async () => {
  const { kinds } = alarmLookStore(database.servicePool);
  const { alarms } = storesOver(database.servicePool, testSecretBox);
  expect(await Promise.all(kinds.map((kind) => alarms.conditions(now, [kind])))).toEqual(kinds.map(() => []));
});

test("a rule that fails is named, keeps its alarms, and silences no other", async () => {
  await addBattery();
  await judge();
  await database.pool.query("alter table meters rename column kwh_means to gone");
  await addCertificate(now);
  const { raised, cleared, faults } = await judge();
  expect(kindsOf(raised)).toEqual(["certificate_expiring"]);
  expect(cleared).toEqual([]);
  expect(faults).toEqual([
    { kind: "battery_undecided", error: expect.objectContaining({ message: expect.stringContaining("kwh_means") }) },
  ]);
  await database.pool.query("alter table meters rename column gone to kwh_means");
  await database.pool.query("delete from meters");
  expect(await judge()).toMatchObject({ raised: [], cleared: [{ kind: "battery_undecided" }], faults: [] });
});

test("rules that fail only together are evaluated one by one", async () => {
  await addBattery();
  const pool = storesOver(database.servicePool, testSecretBox);
  const error = new Error("too long");
  const tooLong = (stores: typeof pool): typeof pool => {
    const look: typeof pool.alarmLooks.look = (asked) =>
      asked.kinds.length > 1 ? Promise.reject(error) : stores.alarmLooks.look(asked);
    return { ...stores, alarmLooks: { ...stores.alarmLooks, look } };
  };
  const transact = transactOver(database.servicePool, testSecretBox);
  const changes = await judgeAlarms({
    stores: tooLong(pool),
    transact: (work) => transact((stores) => work(tooLong(stores))),
    clock: { now: () => now },
    newId,
  });
  expect(changes).toMatchObject({ raised: [{ kind: "battery_undecided" }], faults: [{ kind: null, error }] });
});

/** Ends the dispatch of a test. */
const end = (at: Date | null) =>
  database.pool.query(
    "update dispatches set start_time = '2026-07-01T17:00:00Z', end_time = $1 where id = 'dis_seen'",
    [at],
  );
const acknowledgedBefore = (seconds: number) =>
  database.pool.query("update alarms set acknowledged_at = $1", [new Date(now.getTime() - seconds * 1000)]);

test("an alarm that was acknowledged with its group ends once its dispatch is over, and is not raised again", async () => {
  await addOverdueMail("dis_seen");
  const [alarm] = (await judge()).raised;
  await end(new Date(now.getTime() - 1000));
  expect((await judge()).cleared).toEqual([]);
  await acknowledgedBefore(15);
  expect((await judge()).cleared).toEqual([]);
  await acknowledgedBefore(16);
  await end(now);
  expect((await judge()).cleared).toEqual([]);
  await end(new Date(now.getTime() - 1));
  expect((await judge()).cleared).toMatchObject([{ id: alarm?.id, kind: "notice_failed" }]);
  expect(await judge()).toEqual({ raised: [], cleared: [], faults: [] });
});
