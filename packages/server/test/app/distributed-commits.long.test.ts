import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MeterKey } from "@curtail/measure";
import { atEnd } from "@curtail/testing/at-end";
import { type CitusCluster, type CitusNode, citusPrograms } from "@curtail/testing/citus";
import type pg from "pg";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditStore } from "../../src/access/storage/audit-store.js";
import { inTransaction } from "../../src/platform/database/database.js";
import { archiveFolder } from "../../src/platform/files/archive-folder.js";
import { hoursOfMonth } from "../../src/telemetry/domain/retention.js";
import { archiveStore } from "../../src/telemetry/storage/archive-store.js";
import { TelemetryWriter } from "../../src/telemetry/storage/telemetry-writer.js";
import { readingStore } from "../../src/telemetry/storage/upsert-hours.js";
import { bareMeters, cellReadings } from "../support/bare-meters.js";
import { clientAt, distributeAt, migratedCluster, poolAt } from "../support/citus-databases.js";

const bin = citusPrograms();
const PATIENCE = { timeout: 20_000, interval: 10 };
const ROUNDS = 4;
/** A commit at the coordinator takes as long, so that it can be killed meanwhile: the most that PostgreSQL allows. */
const SLOWLY = "?options=-c%20commit_delay%3D100000%20-c%20commit_siblings%3D0";
/** Of the specification: a commit in doubt is recovered within two seconds. */
const RECOVERED_MS = 2000;
/** Of the year 0. */
const MONTH = 2020 * 12;
const HOURS = 48;

const countOf = async (at: Pick<pg.Pool, "query">, query: string): Promise<number> => {
  const { rows } = await at.query<{ count: number }>(`select count(*)::int as count from ${query}`);
  return rows[0]?.count ?? 0;
};

describe.skipIf(bin === null)(
  "archiving on a cluster (needs TEST_CITUS, the programs of a PostgreSQL with Citus)",
  () => {
    let cluster: CitusCluster;
    let pool: pg.Pool;
    let folder: string;
    let key: MeterKey;
    let worker: CitusNode;
    /** At the worker that has the site. */
    let beside: pg.Client;

    beforeAll(async () => {
      cluster = await migratedCluster(bin ?? "", 2);
      await distributeAt(cluster.url, 4);
      pool = poolAt(cluster.url);
      folder = await mkdtemp(join(tmpdir(), "curtail-archive-"));
      atEnd(() => rm(folder, { recursive: true, force: true }));
    }, 120_000);

    /** A month of a new site, with its worker. */
    beforeEach(async () => {
      const [meter] = await bareMeters({ pool } as Parameters<typeof bareMeters>[0]);
      if (meter === undefined) throw new Error("the meter was not created");
      key = meter;
      const { from } = hoursOfMonth(MONTH);
      await pool.query(
        `insert into telemetry_hours (site, meter, hour, kw) select $1, $2, hour, array[1.5] from generate_series($3::int, $4::int) as hour`,
        [key.site, key.meter, from, from + HOURS - 1],
      );
      const [place] = await cluster.coordinator.query<{ name: string }>(
        `select nodename || ':' || nodeport as name from pg_dist_placement join pg_dist_node using (groupid)
       where shardid = get_shard_id_for_distribution_column('telemetry_hours', ${key.site})`,
      );
      const found = cluster.workers.find(({ name }) => name === place?.name);
      if (found === undefined) throw new Error("the site has no shard");
      worker = found;
      beside = await clientAt(worker.url);
    }, 60_000);

    const archive = (through: pg.Pool) =>
      archiveStore(through, archiveFolder(folder), () => new Date()).archive({ site: key.site, month: MONTH });

    const hours = (at: Pick<pg.Pool, "query"> = pool) => countOf(at, `telemetry_hours where site = ${key.site}`);
    const archives = () => countOf(pool, `telemetry_archives where site = ${key.site}`);
    const prepared = () => countOf(beside, "pg_prepared_xacts");

    const killCoordinatorWhen = async (isThen: () => Promise<boolean>): Promise<void> => {
      while (!(await isThen()));
      await cluster.coordinator.kill();
      await cluster.coordinator.start();
      // Whatever was in doubt is decided.
      await expect.poll(prepared, PATIENCE).toBe(0);
    };

    test("a coordinator that is killed during the commit loses no half of it", { timeout: 120_000 }, async () => {
      const outcomes = new Set<string>();
      for (let round = 0; round < ROUNDS; round++) {
        const slow = poolAt(cluster.url + SLOWLY);
        const archiving = archive(slow).catch(() => null);
        await killCoordinatorWhen(async () => (await prepared()) > 0);
        await archiving;
        outcomes.add(`${await hours()} hours, ${await archives()} archives`);
      }
      for (const outcome of outcomes) expect(["48 hours, 0 archives", "0 hours, 1 archives"]).toContain(outcome);
    });

    test("an import with its entry in the audit log is whole, too", { timeout: 120_000 }, async () => {
      const { from } = hoursOfMonth(MONTH);
      const outcomes = new Set<string>();
      for (let round = 0; round < ROUNDS; round++) {
        await pool.query("delete from telemetry_hours where site = $1", [key.site]);
        const subject = `import-${round}`;
        const importing = inTransaction(poolAt(cluster.url + SLOWLY), async (client) => {
          await readingStore(client).store(cellReadings(key, from / 24, { 0: 7.5 }));
          const act = { at: new Date(), actor: "service" } as const;
          await auditStore(client, () => {}).append(act, "account.create", { id: subject, accountId: "acc" }, {});
        }).catch(() => null);
        await killCoordinatorWhen(async () => (await prepared()) > 0);
        await importing;
        outcomes.add(
          `${await hours()} hours, ${await countOf(pool, `audit_log where subject = '${subject}'`)} entries`,
        );
      }
      for (const outcome of outcomes) expect(["0 hours, 0 entries", "1 hours, 1 entries"]).toContain(outcome);
    });

    test("control: a table that Citus does not know loses its half", { timeout: 60_000 }, async () => {
      const slow = await clientAt(cluster.url + SLOWLY);
      await slow.query("begin");
      await slow.query(`delete from telemetry_hours where site = ${key.site}`);
      await slow.query("insert into settings (name, value) values ('half', 'lost')");
      const committing = slow.query("commit").catch(() => null);
      await killCoordinatorWhen(async () => (await hours(beside)) === 0);
      await committing;
      expect([await hours(), await countOf(pool, "settings where name = 'half'")]).toEqual([0, 0]);
    });

    /** Archives, and kills the worker once it has prepared its part and the coordinator has decided for it. */
    const killWorkerBetween = async (): Promise<void> => {
      const set = async (names: string): Promise<void> => {
        await cluster.coordinator.query(`alter system set synchronous_standby_names = '${names}'`);
        await cluster.coordinator.query("select pg_reload_conf()");
      };
      // The commit is in the log of the coordinator, and waits.
      await set("nobody");
      const archiving = archive(pool);
      const waiting = "pg_stat_activity where wait_event = 'SyncRep'";
      const client = await clientAt(cluster.url);
      await expect.poll(() => countOf(client, waiting), PATIENCE).toBe(1);
      expect(await prepared()).toBe(1);
      await worker.kill();
      // Not by a statement that would wait for a commit itself.
      await client.query("alter system reset synchronous_standby_names");
      await client.query("select pg_reload_conf()");
      expect(await archiving).toEqual(expect.objectContaining({ readings: HOURS }));
      await worker.start();
      beside = await clientAt(worker.url);
    };

    test("a worker that is killed between the phases has the commit within two seconds of its start", async () => {
      await killWorkerBetween();
      const startedAt = performance.now();
      // An upload to a row of the commit in doubt waits for it.
      const writer = new TelemetryWriter(pool);
      const { from } = hoursOfMonth(MONTH);
      await writer.write(cellReadings(key, from / 24, { 0: 7.5 }));
      await expect.poll(prepared, PATIENCE).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(RECOVERED_MS);
      expect([await hours(), await archives()]).toEqual([1, 1]);
    }, 60_000);

    test("control: with the interval that Citus has by itself, it has not", async () => {
      await cluster.coordinator.query("alter system set citus.recover_2pc_interval = '60s'");
      await cluster.coordinator.query("select pg_reload_conf()");
      // The process that recovers has read it then.
      await new Promise((resolve) => setTimeout(resolve, RECOVERED_MS));
      await killWorkerBetween();
      await new Promise((resolve) => setTimeout(resolve, RECOVERED_MS));
      expect(await prepared()).toBe(1);
      expect([await hours(), await archives()]).toEqual([HOURS, 1]);
      await cluster.coordinator.query("select recover_prepared_transactions()");
      expect(await hours()).toBe(0);
    }, 60_000);
  },
);
