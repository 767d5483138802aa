import { operator } from "@curtail/contract";
import pg from "pg";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { correctionStore } from "../../../src/performance/storage/correction-store.js";
import { httpClient, type Send } from "../../support/http-client.js";
import { dispatchBetween, intervalsBetween, measuredProgram, performanceOf } from "../../support/measuring.js";
import { kwReading, upload } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Late readings are noted for the dispatches that they concern, whichever process recorded these; if their site was never
// dispatched, no statement is sent.
let service: Running;
let other: string;

const START = "2026-06-10T18:00:00Z";
const END = "2026-06-10T19:00:00Z";
const minute = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();
const at = (minutes: number): void => service.clock.set(new Date(minute(minutes)));
const hours = (count: number): number => count * 60;

beforeAll(async () => {
  service = await running();
  other = await service.another();
  // Opens the connection for stamps: it may take too long on a busy machine, and then the tables are asked.
  at(0);
  await (await metered()).load(-hours(5), 50);
});

afterEach(() => {
  vi.restoreAllMocks();
});

interface Metered {
  readonly anna: Participant;
  readonly siteId: string;
  readonly programId: string;
  /** Uploads ten minutes of load from that minute on; through the other process unless said. */
  readonly load: (from: number, kw: number, through?: Participant) => Promise<void>;
}

const metered = async (): Promise<Metered> => {
  const anna = await service.newParticipant();
  const [site] = anna.sites;
  const meter = site?.meters[0] ?? "";
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  const programId = await measuredProgram(service, [anna], { baseline, commitment: 40 });
  const elsewhere = { ...anna, call: callTo(other, anna.key) };
  const load: Metered["load"] = async (from, kw, through = elsewhere) => {
    const intervals = intervalsBetween([minute(from), minute(from + 10)], 300, () => kw);
    const readings = intervals.map(({ endMs, seconds }) =>
      kwReading(meter, new Date(endMs).toISOString(), kw, seconds),
    );
    expect((await upload(through, readings)).status).toBe(200);
  };
  return { anna, siteId: site?.id ?? "", programId, load };
};

const callTo = (url: string, key: string): Send => httpClient(`${url}/2022-04-15`, { "X-Service-API-Key": key });

/** Finds the dispatches of notes that are quiet by then. */
const find = () => correctionStore(service.database.pool).find(new Date(service.clock.now().getTime() + 2000));

/** Open notes of a site: those whose dispatches are not found yet. */
const OPEN_NOTES = "late_notes where site = (select key from sites where id = $1) and found_at is null";

/** The dispatches of the site that are newly found to be concerned, in order of their creation, and the open notes. */
const notesOf = async (siteId: string): Promise<{ dispatches: string[]; open: number }> => {
  const { pool } = service.database;
  await find();
  const { rows } = await pool.query<{ dispatch_id: string }>(
    "delete from late_corrections where site_id = $1 returning dispatch_id",
    [siteId],
  );
  const { rowCount } = await pool.query(`select from ${OPEN_NOTES}`, [siteId]);
  return { dispatches: rows.map(({ dispatch_id }) => dispatch_id), open: rowCount ?? 0 };
};

/** The statements with this text that are sent during the work. */
const statementsOf = async (part: string, work: () => Promise<unknown>): Promise<string[]> => {
  const sent = vi.spyOn(pg.Client.prototype, "query");
  await work();
  const texts = sent.mock.calls.map(([given]: unknown[]) => String((given as { text?: string }).text ?? given));
  sent.mockRestore();
  return texts.filter((text) => text.includes(part));
};

const loading = (work: () => Promise<unknown>) => statementsOf("from asked left join open", work);
const noting = (work: () => Promise<unknown>) => statementsOf("insert into late_notes", work);

describe("late readings", () => {
  test("that concern no dispatch cause no statement but one for the windows of new sites", async () => {
    const { load, siteId } = await metered();
    expect(await loading(() => load(-hours(5), 50))).toHaveLength(1);
    const later = async () => {
      await load(-hours(4), 50);
      await load(-hours(400 * 24), 50);
    };
    expect(await loading(later)).toEqual([]);
    expect(await noting(later)).toEqual([]);
    expect((await notesOf(siteId)).dispatches).toEqual([]);
  });

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

  test("of a running dispatch without an end are seen by who follows it, and correct no result", async () => {
    at(-hours(3));
    const { load, siteId, programId } = await metered();
    const id = await dispatchBetween(service, programId, [START, null]);
    const baseline = async () => (await performanceOf(service, id)).sites[0]?.baseline;
    at(hours(100));
    expect(await baseline()).not.toBe("found");
    await load(-10, 50);
    await load(-20, 50);
    await expect.poll(baseline, { timeout: 10_000 }).toBe("found");
    expect(await notesOf(siteId)).toEqual({ dispatches: [], open: 0 });
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

const untilVersions = (id: string, reasons: readonly string[]) =>
  expect
    .poll(
      async () => {
        service.clock.advance({ seconds: 6 });
        const { versions } = await performanceOf(service, id);
        return versions.map(({ reason }: { reason: string }) => reason);
      },
      { timeout: 10_000 },
    )
    .toEqual(reasons);

describe("late readings that are being stored while a dispatch of the site", () => {
  let site: Metered;

  beforeAll(async () => {
    at(hours(2));
    site = await metered();
    for (let from = -hours(1); from < hours(2); from += 10) await site.load(from, 100, site.anna);
  });

  /** Uploads to the first hour of these minutes, which a lock holds up until the work is done. */
  const whileStoring = async <T>(from: number, work: () => Promise<T>): Promise<T> => {
    const { pool } = service.database;
    const holder = await pool.connect();
    await holder.query("begin");
    await holder.query(
      "select from telemetry_hours where site = (select key from sites where id = $1) and hour = $2 for update",
      [site.siteId, Math.floor(Date.parse(minute(from)) / 3_600_000)],
    );
    const storing = site.load(from, 40);
    await vi.waitUntil(async () => (await pool.query("select from pg_locks where not granted")).rowCount === 1);
    const worked = await work();
    await holder.query("commit");
    holder.release();
    await storing;
    return worked;
  };

  test("gets its final result correct it", async () => {
    const id = await dispatchBetween(service, site.programId, [START, END]);
    at(121);
    await whileStoring(70, async () => {
      at(123);
      await untilVersions(id, ["complete"]);
    });
    await untilVersions(id, ["complete", "corrected"]);
  });

  test("is recorded and measured correct it", async () => {
    at(hours(30));
    const id = await whileStoring(0, async () => {
      const recorded = await dispatchBetween(service, site.programId, [START, END]);
      await untilVersions(recorded, ["complete"]);
      return recorded;
    });
    await untilVersions(id, ["complete", "corrected"]);
    expect((await performanceOf(service, id)).sites).toMatchObject([{ mean_reduction_kw: 10 }]);
  });
});
