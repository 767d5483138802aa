import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { storesOver, transactOver } from "../../../src/app/stores.js";
import { escalateOwed, type OwedPorts } from "../../../src/notification/operations/escalate-owed.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";
import { testSecretBox } from "../../support/secret-box.js";

const now = new Date("2026-07-01T18:00:00Z");
let database: TestDatabase;
let ports: OwedPorts;

beforeEach(async () => {
  database = await cloneDatabase();
  ports = {
    stores: storesOver(database.pool, testSecretBox),
    transact: transactOver(database.pool, testSecretBox),
    clock: { now: () => now },
    servingSince: new Date(0),
  };
});
afterEach(() => database.drop());

const dispatchColumns = `id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
  start_time, end_time, notification_time, modification_number, created_at, changed_at`;

/** Creates accounts, each with a site and a webhook, and a program. */
const addAccounts = (count: number): Promise<unknown> =>
  database.pool.query(`
    insert into accounts (id, name, disabled, created_at)
      select 'acc_' || number, 'One', false, now() from generate_series(1, ${count}) as number;
    insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
      select 'site_' || number, 'acc_' || number, '', '', '', 'UTC', now() from generate_series(1, ${count}) as number;
    insert into webhooks (id, account_id, url, events, secret, created_at)
      select 'wh_' || number, 'acc_' || number, 'http://127.0.0.1/', '{dispatch.create}', 'whsec_', now()
      from generate_series(1, ${count}) as number;
    insert into programs (id, name, timezone, market, program_type, schedule_cutoff_seconds, created_at)
      values ('prg_1', 'Peak', 'UTC', '', 'capacity', 0, now())`);

/** A dispatch of all sites whose notice was due a minute ago; one in `missing` accounts did not take it. */
const addDispatch = (missing: number): Promise<unknown> =>
  database.pool.query(`
    insert into dispatches (${dispatchColumns})
      values ('dis_1', 'prg_1', 'Peak', 'UTC', '', 'capacity', false, true, '2026-07-01T19:00:00Z', null,
        '2026-07-01T17:59:00Z', 0, now(), now());
    insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
      select 'dis_1', key, id, account_id, '', '', '' from sites;
    insert into notices (dispatch_id, event, due_at, state, owed_look_at)
      values ('dis_1', 'dispatch.create', '2026-07-01T17:59:00Z', 'sent', '2026-07-01T18:00:00Z');
    insert into messages (id, recipient, subject, notice_seq, event, state, created_at)
      select 'dlv_' || webhooks.seq, webhooks.id, 'dis_1', notices.seq, event,
        case when webhooks.seq % ${missing} = 0 then 'failed' else 'delivered' end, now()
      from webhooks, notices where dispatch_id = 'dis_1'`);

const mailedAccounts = async (): Promise<string[]> =>
  (await database.pool.query("select account_id from messages where channel = 'email' order by seq")).rows.map(
    (row) => row.account_id,
  );
const lookAt = async (): Promise<Date | null> =>
  (await database.pool.query("select owed_look_at from notices where dispatch_id = 'dis_1'")).rows[0].owed_look_at;

describe("a look at what is owed", () => {
  test("finds 1,000 of 10,000 accounts beside 100,000 past dispatches, though the planner last saw no deliveries", async () => {
    await addAccounts(10_000);
    await database.pool.query(`
      insert into dispatches (${dispatchColumns})
        select 'past_' || number, 'prg_1', 'Peak', 'UTC', '', 'capacity', false, true, '2026-06-01', '2026-06-02',
          '2026-06-01', 0, now(), now() from generate_series(1, 100000) as number;
      insert into notices (dispatch_id, event, due_at, state)
        select id, 'dispatch.create', '2026-06-01', 'sent' from dispatches`);
    await database.pool.query("vacuum analyze notices, messages, escalations, dispatch_reads");
    await addDispatch(10);
    // Some tenths of a second; if all rows are compared with all, it is refused after the ten seconds that a statement has.
    expect(await escalateOwed(ports)).toBe(true);
    expect(new Set(await mailedAccounts()).size).toBe(1000);
    expect(await escalateOwed(ports)).toBe(false);
  }, 60_000);

  test("that two workers take at once mails everybody once", async () => {
    await addAccounts(40);
    await addDispatch(2);
    await Promise.all([1, 2, 3, 4].map(() => escalateOwed(ports)));
    expect(await mailedAccounts()).toHaveLength(20);
  });

  test("that is cut off before its end has done nothing, and the next one does all of it", async () => {
    await addAccounts(4);
    await addDispatch(2);
    const cutOff: OwedPorts = {
      ...ports,
      transact: (work) =>
        ports.transact(async (stores) => {
          await work(stores);
          throw new Error("killed");
        }),
    };
    await expect(escalateOwed(cutOff)).rejects.toThrow("killed");
    expect([await mailedAccounts(), await lookAt()]).toEqual([[], now]);
    await escalateOwed(ports);
    expect([(await mailedAccounts()).length, await lookAt()]).toEqual([2, null]);
  });
});
