import { operator } from "@curtail/contract";
import type pg from "pg";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  at,
  clearEach,
  END,
  find,
  hours,
  metered,
  minute,
  notesOf,
  OPEN_NOTES,
  prepare,
  START,
  service,
} from "../../support/late-story.js";
import { dispatchBetween } from "../../support/measuring.js";

beforeAll(prepare);

afterEach(clearEach);

describe("late readings", () => {
  test("concern a dispatch of the site from 375 days before its start until an hour after its end", async () => {
    at(hours(30));
    const { load, siteId, programId } = await metered();
    const id = await dispatchBetween(service, programId, [START, END]);
    const edges = [
      [-hours(375 * 24) - 10, 1],
      [-hours(375 * 24) - 11, 0],
      [hours(2), 1],
      [hours(2) + 1, 0],
    ] as const;
    for (const [from, count] of edges) {
      await load(from, 50);
      const notes = await notesOf(siteId);
      expect([from, notes]).toEqual([from, { dispatches: Array.from({ length: count }, () => id), open: 0 }]);
    }
  });

  test("concern a dispatch from 375 days before its notification, if that is earlier than its start", async () => {
    at(-hours(48));
    const { load, siteId, programId } = await metered();
    const id = await dispatchBetween(service, programId, [START, END]);
    at(hours(30));
    await load(-hours(377 * 24) - 11, 50);
    expect((await notesOf(siteId)).dispatches).toEqual([]);
    await load(-hours(377 * 24) - 10, 50);
    expect((await notesOf(siteId)).dispatches).toEqual([id]);
  });

  test("concern no dispatch that another process cancelled or voided just before", async () => {
    at(-hours(3));
    const { load, siteId, programId } = await metered();
    const planned = await dispatchBetween(service, programId, [START, END]);
    const kept = await dispatchBetween(service, programId, [START, END]);
    await service.made(operator.changeDispatch, { params: { id: planned }, body: { authorized: false } });
    at(hours(30));
    await load(-hours(3), 51);
    expect((await notesOf(siteId)).dispatches).toEqual([kept]);
    await service.made(operator.changeDispatch, {
      params: { id: kept },
      body: { authorized: false, void_reason: "Mistake." },
    });
    const past = await dispatchBetween(service, programId, [START, END]);
    await load(-hours(3), 52);
    expect((await notesOf(siteId)).dispatches).toEqual([past]);
    await service.made(operator.changeDispatch, {
      params: { id: past },
      body: { authorized: false, void_reason: "Mistake." },
    });
    await load(-hours(3), 53);
    expect(await notesOf(siteId)).toEqual({ dispatches: [], open: 0 });
  });

  test("of a site with many dispatches are one note of the site, and a second upload of the same changes nothing", async () => {
    at(hours(30));
    const { load, siteId, programId } = await metered();
    for (let day = 0; day < 5; day++)
      await dispatchBetween(service, programId, [minute(-hours(24 * day)), minute(-hours(24 * day) + 60)]);
    const { pool } = service.database;
    const countOf = async (query: string) => (await pool.query(`select from ${query}`, [siteId])).rowCount;
    const notes = () => countOf(`${OPEN_NOTES} and reason = 'corrected'`);
    const corrections = () => countOf("late_corrections where reason = 'corrected' and site_id = $1");
    await load(-hours(24 * 5), 50);
    expect([await notes(), await corrections()]).toEqual([1, 0]);
    await load(-hours(24 * 5), 51);
    expect([await notes(), await corrections()]).toEqual([1, 0]);
    await find();
    expect([await notes(), await corrections()]).toEqual([0, 5]);
    await load(-hours(24 * 5), 52);
    await find();
    expect([await notes(), await corrections()]).toEqual([0, 5]);
  });

  test("in eight uploads for a site with thousands of dispatches leave one row", async () => {
    at(hours(30));
    const { load, siteId, programId } = await metered();
    const id = await dispatchBetween(service, programId, [START, END]);
    const { pool } = service.database;
    await repeated(pool, id, 3000);
    for (let upload = 0; upload < 8; upload++) await load(-hours(24 * upload), 50 + upload);
    const { rows } = await pool.query(
      `select (select count(*) from late_notes where site = (select key from sites where id = $1)) as notes,
         (select count(*) from late_corrections where site_id = $1) as corrections`,
      [siteId],
    );
    expect(rows).toEqual([{ notes: 1, corrections: 0 }]);
    await find();
    expect((await notesOf(siteId)).dispatches).toHaveLength(3001);
  });

  test("are noted by the tables while the stamps cannot be read", async () => {
    at(hours(30));
    const { load, siteId, programId } = await metered();
    const id = await dispatchBetween(service, programId, [START, END]);
    await service.database.pool.query("alter table journal rename to hidden_journal");
    await load(-hours(3), 50);
    await service.database.pool.query("alter table hidden_journal rename to journal");
    expect(await notesOf(siteId)).toEqual({ dispatches: [id], open: 0 });
  });
});

/** Dispatches of the same sites, each a minute later than the one before, with a final result. */
const repeated = async (pool: pg.Pool, id: string, count: number): Promise<void> => {
  await pool.query(
    `insert into dispatches overriding system value
     select (jsonb_populate_record(dispatches, jsonb_build_object('id', id || '_' || n, 'seq', nextval(pg_get_serial_sequence('dispatches', 'seq')),
       'start_time', start_time + n * interval '1 minute', 'end_time', end_time + n * interval '1 minute'))).*
     from dispatches cross join generate_series(1, $2::int) as n where id = $1`,
    [id, count],
  );
  await pool.query(
    `insert into dispatch_sites
     select (jsonb_populate_record(dispatch_sites, jsonb_build_object('dispatch_id', $1 || '_' || n))).*
     from dispatch_sites cross join generate_series(1, $2::int) as n where dispatch_id = $1`,
    [id, count],
  );
  await pool.query(
    "insert into performance_versions (dispatch_id, version, at, reason) select id, 1, end_time, 'complete' from dispatches where id like $1 || '%'",
    [id],
  );
};
