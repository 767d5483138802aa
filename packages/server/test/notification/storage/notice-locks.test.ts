import { expect, test } from "vitest";
import { lookAgainAtOwed } from "../../../src/dispatch/storage/notice-store.js";
import { deliveryQueue, productionQueue } from "../../../src/notification/storage/delivery-queue.js";
import { owedStore } from "../../../src/notification/storage/owed-store.js";
import { venNoticeStore } from "../../../src/openadr/storage/ven-notice-store.js";
import { inTransaction } from "../../../src/platform/database/database.js";
import { cloneDatabase } from "../../support/database.js";
import { testSecretBox } from "../../support/secret-box.js";

const DISPATCHES = 8;
const TIMES = 120;
const seqs = [1, 2, 3];

/** Every notice is due for everybody again. Its order is the one in which they are read from the disk. */
const RESET = `
  with locked as materialized (select seq from notices order by seq for no key update)
  update notices set state = 'waiting', slices = 0, behind = false, noted_at = null, owed_look_at = now()
  from locked where notices.seq = locked.seq`;

test("whoever updates several notices waits for nobody that waits for it", async () => {
  const database = await cloneDatabase();
  const { servicePool: pool } = database;
  try {
    await database.pool.query(`
      insert into accounts (id, name, disabled, created_at) values ('acc_1', 'One', false, now());
      insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
        values ('site_1', 'acc_1', '', '', '', 'UTC', now());
      insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
          start_time, notification_time, modification_number, created_at, changed_at)
        select 'dis_' || n, 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, true, now(), now(), 0, now(), now()
        from generate_series(1, ${DISPATCHES}) as n;
      insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
        select 'dis_' || n, 0, 'site_1', 'acc_1', '', '', '' from generate_series(1, ${DISPATCHES}) as n;
      -- The later ones are due earlier.
      insert into notices (dispatch_id, event, due_at)
        select 'dis_' || 1 + n % ${DISPATCHES}, 'dispatch.update', now() - n * interval '1 s'
        from generate_series(1, ${DISPATCHES * seqs.length}) as n`);
    const queue = deliveryQueue(pool, testSecretBox, productionQueue);
    const notices = new Map<string, number[]>();
    const { rows } = await database.pool.query<{ seq: number; dispatch_id: string }>(
      "select seq, dispatch_id from notices order by seq desc",
    );
    for (const { seq, dispatch_id } of rows) notices.set(dispatch_id, [...(notices.get(dispatch_id) ?? []), seq]);
    const now = new Date();
    const claim = { now, leasedUntil: new Date(now.getTime() + 1000), limit: 0, hung: [] };
    const ways: ReadonlyArray<(id: string, time: number) => Promise<unknown>> = [
      (id, time) =>
        inTransaction(pool, async (client) => {
          const owed = owedStore(client);
          const own = notices.get(id) ?? [];
          await owed.mail(id, [{ accountId: "acc_1", noticeSeq: own[0] ?? 0, event: "dispatch.update" }], now);
          const known = { event: "dispatch.update", modificationNumber: 0, dueAt: now, since: now } as const;
          const looked = (time % 2 === 0 ? own : own.toReversed()).map((seq) => ({ ...known, seq }));
          await owed.saveLook({ dispatchId: id, notices: looked, nextAt: now });
        }),
      () => queue.expandDue(claim),
      () => venNoticeStore(pool).record(now),
      () => inTransaction(pool, async (client) => lookAgainAtOwed(client, "acc_1", now)),
      () => database.pool.query(RESET),
    ];
    const ends = await Promise.allSettled(
      ways.map(async (way) => {
        for (let time = 0; time < TIMES; time++) await way(`dis_${1 + (time % DISPATCHES)}`, time);
      }),
    );
    expect(ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []))).toEqual([]);
  } finally {
    await database.drop();
  }
}, 120_000);
