import { operator } from "@curtail/contract";
import pg from "pg";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { lateReadings } from "../../../src/performance/storage/late-readings.js";
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

/** The dispatches of the site that are newly found to be concerned, in order of their creation, and the open spans. */
const notesOf = async (siteId: string): Promise<{ dispatches: string[]; open: number }> => {
  const { pool } = service.database;
  await lateReadings(pool).findConcerned(service.clock.now());
  const { rows } = await pool.query<{ dispatch_id: string }>(
    "delete from late_readings where site_id = $1 returning dispatch_id",
    [siteId],
  );
  const { rowCount } = await pool.query("select from late_spans where site = (select key from sites where id = $1)", [
    siteId,
  ]);
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
const noting = (work: () => Promise<unknown>) => statementsOf("insert into late_spans", work);

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

  test("concern a running dispatch without an end; a planned one not before ten minutes before its start", async () => {
    at(-hours(3));
    const { load, siteId, programId } = await metered();
    const id = await dispatchBetween(service, programId, [START, null]);
    at(-11);
    await load(-hours(3), 50);
    expect(await notesOf(siteId)).toEqual({ dispatches: [], open: 0 });
    at(-10);
    await load(-hours(3), 50);
    expect(await notesOf(siteId)).toEqual({ dispatches: [id], open: 0 });
    at(hours(100));
    await load(hours(90), 50);
    expect(await notesOf(siteId)).toEqual({ dispatches: [id], open: 0 });
  });

  test("concern no dispatch that another process cancelled or voided just before", async () => {
    at(-hours(3));
    const { load, siteId, programId } = await metered();
    const planned = await dispatchBetween(service, programId, [START, END]);
    at(-5);
    await load(-hours(3), 50);
    expect((await notesOf(siteId)).dispatches).toEqual([planned]);
    await service.made(operator.changeDispatch, { params: { id: planned }, body: { authorized: false } });
    await load(-hours(3), 51);
    expect((await notesOf(siteId)).dispatches).toEqual([]);
    at(hours(30));
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
    const spans = () => countOf("late_spans where site = (select key from sites where id = $1)");
    const notes = () => countOf("late_readings where reason = 'corrected' and site_id = $1");
    await load(-hours(24 * 5), 50);
    expect([await spans(), await notes()]).toEqual([1, 0]);
    await load(-hours(24 * 5), 51);
    expect([await spans(), await notes()]).toEqual([1, 0]);
    await lateReadings(pool).findConcerned(service.clock.now());
    expect([await spans(), await notes()]).toEqual([0, 5]);
    await load(-hours(24 * 5), 52);
    await lateReadings(pool).findConcerned(service.clock.now());
    expect([await spans(), await notes()]).toEqual([0, 5]);
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
