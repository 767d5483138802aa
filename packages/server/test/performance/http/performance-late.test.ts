import { testOffCitus } from "@curtail/testing/on-citus";
import { FOLD_AFTER, testOffLog } from "@curtail/testing/with-log";
import pg from "pg";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  at,
  clearEach,
  END,
  hours,
  type Metered,
  metered,
  minute,
  notesOf,
  prepare,
  START,
  service,
} from "../../support/late-story.js";
import { dispatchBetween, performanceOf } from "../../support/measuring.js";

beforeAll(prepare);

afterEach(clearEach);

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

  test("of a running dispatch without an end are seen by who follows it, and correct no result", async () => {
    at(-hours(3));
    const { load, siteId, programId } = await metered();
    const id = await dispatchBetween(service, programId, [START, null]);
    const baseline = async () => (await performanceOf(service, id)).sites[0]?.baseline;
    at(hours(100));
    expect(await baseline()).not.toBe("found");
    await load(-10, 50);
    await load(-20, 50);
    await expect.poll(baseline).toBe("found");
    expect(await notesOf(siteId)).toEqual({ dispatches: [], open: 0 });
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
      { timeout: 30_000 },
    )
    .toEqual(reasons);

const HOLDS = "locks a row of a shard, and looks for who waits at this server";
const testOnRows = FOLD_AFTER === undefined ? testOffCitus(HOLDS) : testOffLog(HOLDS);

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

  testOnRows("gets its final result correct it", async () => {
    const id = await dispatchBetween(service, site.programId, [START, END]);
    at(121);
    await whileStoring(70, async () => {
      at(123);
      await untilVersions(id, ["complete"]);
    });
    await untilVersions(id, ["complete", "corrected"]);
  });

  testOnRows("is recorded and measured correct it", async () => {
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
