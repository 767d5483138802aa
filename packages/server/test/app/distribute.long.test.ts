import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import { type CitusCluster, type CitusNode, citusPrograms } from "@curtail/testing/citus";
import pg from "pg";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { auditStore } from "../../src/access/storage/audit-store.js";
import { nodeChecks } from "../../src/app/commands/doctor/database.js";
import { watchedNodes } from "../../src/app/wire/watched-nodes.js";
import { makeBackup } from "../../src/backup/storage/make-backup.js";
import { databaseBytes } from "../../src/oversight/storage/gauges.js";
import { SERVING } from "../../src/platform/database/database.js";
import { checkDatabase } from "../../src/platform/database/database-check.js";
import { distributionFaults } from "../../src/platform/database/distribution-check.js";
import { migrate } from "../../src/platform/database/migrate.js";
import { readMigrations } from "../../src/platform/database/migration.js";
import { distributedDatabase } from "../../src/platform/database/node-state.js";
import { SHARDED_TABLES } from "../../src/platform/database/shard-statement.js";
import { clientAt, distributeAt, migrateAt, migratedCluster, poolAt } from "../support/citus-databases.js";

const bin = citusPrograms();
const PATIENCE = { timeout: 20_000, interval: 100 };

const ARCHIVES = 5;

/** Hour rows of twenty sites, a packed day, archives and audit entries. */
const FILL = `
  insert into telemetry_hours select site, site * 10, hour, array[site + 0.5]
    from generate_series(1, 20) as site, generate_series(480000, 480100) as hour;
  insert into telemetry_days values (3, 30, 19000, 1, '\\x00');
  insert into telemetry_archives (site, month, file, readings, bytes, sha256, archived_at)
    select 3, 24000 + month, 'a', 1, 1, '', now() from generate_series(1, ${ARCHIVES}) as month;
  insert into audit_log (at, actor, action, subject) select now(), 'a', 'b', 'c' from generate_series(1, 7)`;

const CONTENT = `select md5(string_agg(each, ' ' order by each)) as sum, count(*)::int as count from (
  select stored::text as each from telemetry_hours as stored union all select packed::text from telemetry_days as packed
  union all select log::text from audit_log as log union all select archive::text from telemetry_archives as archive) as all_rows`;

const ALL_PROCESSES =
  "select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid union all select pid from pg_stat_activity where pid <> pg_backend_pid()";

/** Tables of shards that a node has. Citus hides them from whoever does not say that it wants them. */
const shardsOn = async ({ url }: CitusNode): Promise<number> => {
  const client = await clientAt(`${url}?options=-c%20citus.override_table_visibility%3Doff`);
  const named = `^(${SHARDED_TABLES.join("|")}|telemetry_archives)_\\d+$`;
  const { rows } = await client.query("select from pg_class where relkind = 'r' and relname ~ $1", [named]);
  return rows.length;
};

describe.skipIf(bin === null)("curtail distribute (needs TEST_CITUS, the programs of a PostgreSQL with Citus)", () => {
  let cluster: CitusCluster;
  let pool: pg.Pool;

  beforeAll(async () => {
    cluster = await migratedCluster(bin ?? "", 2);
    pool = poolAt(cluster.url, "test");
    await cluster.coordinator.query(FILL);
  }, 120_000);

  /** What alarms are about, as a process sees it that begins to look. */
  const subjectsSeen = () => {
    const look = watchedNodes(poolAt(cluster.url));
    return async () => (await look()).map(({ subject }) => subject);
  };

  const content = async () => (await cluster.coordinator.query<{ sum: string; count: number }>(CONTENT))[0];
  const shards = () => Promise.all([cluster.coordinator, ...cluster.workers].map(shardsOn));

  test("says what is missing in a database without Citus, and in one without nodes", async () => {
    await cluster.coordinator.query("create database bare");
    await cluster.coordinator.query("create database alone");
    const at = (name: string) => cluster.url.replace(/\/curtail$/, `/${name}`);
    expect(await distributionFaults(poolAt(at("bare")))).toEqual([expect.stringMatching(/^Add Citus/)]);
    await (await clientAt(at("alone"))).query("create extension citus");
    await migrateAt(at("alone"));
    expect(await distributionFaults(poolAt(at("alone")))).toEqual([
      expect.stringMatching(/^Register the coordinator/),
      expect.stringMatching(/^Add a worker/),
    ]);
  });

  test("does not begin while a process serves, a worker is away, or a node would lose what it answered", async () => {
    expect(await distributionFaults(pool)).toEqual([]);
    const serving = new pg.Client({ connectionString: cluster.url, application_name: SERVING });
    await serving.connect();
    expect(await distributionFaults(poolAt(cluster.url, "later"))).toEqual([
      expect.stringMatching(/^Stop every process/),
    ]);
    await serving.end();
    const [worker] = cluster.workers;
    await worker?.query("alter system set fsync = off");
    await worker?.query("select pg_reload_conf()");
    await expect
      .poll(() => distributionFaults(pool), PATIENCE)
      .toEqual([expect.stringMatching(/at 127.0.0.1:\d+ fsync is off; set fsync = on/)]);
    await worker?.query("alter system reset fsync");
    await worker?.kill();
    expect(await distributionFaults(pool)).toEqual([expect.stringMatching(/^Start the node 127.0.0.1:\d+/)]);
    await worker?.start();
    await expect.poll(() => distributionFaults(pool), PATIENCE).toEqual([]);
  });

  test.for(["the command", "the coordinator"])(
    "leaves nothing half done when %s is killed in the middle",
    { timeout: 60_000 },
    async (killed) => {
      const before = await content();
      const holder = await clientAt(cluster.url);
      // The last table: all others are distributed by then, in a transaction that does not end.
      await holder.query("begin; lock table telemetry_archives in access share mode");
      const running = distributeAt(cluster.url, 4).then(
        () => "done",
        () => "failed",
      );
      const waiting =
        "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%citus_add_local%'";
      const pids = async () => (await cluster.coordinator.query<{ pid: number }>(waiting)).map(({ pid }) => pid);
      await expect.poll(pids, PATIENCE).toHaveLength(1);
      const [pid] = await pids();
      if (killed === "the command") await cluster.coordinator.query(`select pg_terminate_backend(${pid})`);
      else {
        await cluster.coordinator.kill();
        await cluster.coordinator.start();
      }
      expect(await running).toBe("failed");
      await holder.query("rollback").catch(() => {});
      await expect.poll(shards, PATIENCE).toEqual([0, 0, 0]);
      expect(await cluster.coordinator.query("select from pg_dist_partition")).toEqual([]);
      expect(await content()).toEqual(before);
    },
  );

  test("distributes by site, keeps every row, and finds nothing to do again", async () => {
    const before = await content();
    expect(before?.count).toBe(20 * 101 + 1 + ARCHIVES + 7);
    expect(await distributeAt(cluster.url, 6)).toEqual({
      tables: [...SHARDED_TABLES, "telemetry_archives"],
      shards: 6,
      workers: 2,
    });
    expect(await content()).toEqual(before);
    expect(await shards()).toEqual([1, 3 * SHARDED_TABLES.length, 3 * SHARDED_TABLES.length]);
    expect(await cluster.coordinator.query("select from only telemetry_hours limit 1")).toHaveLength(1);
    expect(await distributeAt(cluster.url)).toEqual({ tables: [], shards: 6, workers: 2 });
  });

  test("lets numbers of archives go on where they were", async () => {
    const [archive] = await cluster.coordinator.query<{ seq: number }>(
      `insert into telemetry_archives (site, month, file, readings, bytes, sha256, archived_at)
       values (4, 24000, 'b', 1, 1, '', now()) returning seq::int`,
    );
    expect(archive?.seq).toBeGreaterThan(ARCHIVES);
    // A crash skips up to 32 numbers.
    expect(archive?.seq).toBeLessThan(ARCHIVES + 100);
  });

  test("has an audit log that needs no worker", async () => {
    const [worker] = cluster.workers;
    await worker?.kill();
    const appending = auditStore(poolAt(cluster.url), () => {}).append(
      { at: new Date(), actor: "service" },
      "account.create",
      { id: "acc", accountId: "acc" },
      {},
    );
    await expect(appending).resolves.toBeUndefined();
    await worker?.start();
  });

  test("distributes a table that a later version adds, into the same shards", async () => {
    await cluster.coordinator.query("select undistribute_table('charge_hours')");
    expect(await distributeAt(cluster.url)).toEqual({ tables: ["charge_hours"], shards: 6, workers: 2 });
    const groups = "select distinct colocationid from pg_dist_partition where partmethod = 'h'";
    expect(await cluster.coordinator.query(groups)).toHaveLength(1);
  });

  test("keeps a version from starting whose statements span shards", async () => {
    const known = (await readMigrations()).slice(0, 156);
    await expect(migrate(poolAt(cluster.url), { known })).rejects.toThrow(
      "0157_telemetry_meters.sql breaks older versions",
    );
    expect((await migrate(poolAt(cluster.url))).applied).toEqual([]);
  });

  test("the service starts while a worker is away, raises its alarm, and refuses one that would lose data", async () => {
    const look = watchedNodes(poolAt(cluster.url));
    await checkDatabase(pool);
    expect(await look()).toEqual([]);
    const [worker] = cluster.workers;
    await worker?.kill();
    await checkDatabase(poolAt(cluster.url));
    const subject = `node ${worker?.name}`;
    expect((await look()).map((each) => [each.kind, each.subject])).toEqual([["database_node_away", subject]]);
    expect(nodeChecks(await distributedDatabase(pool))).toEqual([expect.objectContaining({ result: "failed" })]);
    await worker?.start();
    await expect.poll(look, PATIENCE).toEqual([]);
    await worker?.query("alter system set synchronous_commit = off");
    await worker?.query("select pg_reload_conf()");
    await expect
      .poll(() => checkDatabase(poolAt(cluster.url)).catch(String), PATIENCE)
      .toMatch(new RegExp(`cannot be used: at ${worker?.name} synchronous_commit is off`));
    await worker?.query("alter system reset synchronous_commit");
    await worker?.query("select pg_reload_conf()");
  });

  test("a node that is frozen raises its alarm, and holds up no other", async () => {
    const look = subjectsSeen();
    expect(await look()).toEqual([]);
    const [worker] = cluster.workers;
    const processes = (await worker?.query<{ pid: number }>(ALL_PROCESSES)) ?? [];
    const send = (signal: NodeJS.Signals): void => {
      for (const { pid } of processes) process.kill(pid, signal);
    };
    send("SIGSTOP");
    onTestFinished(() => send("SIGCONT"));
    const beganAt = performance.now();
    expect(await look()).toEqual([`node ${worker?.name}`]);
    expect(performance.now() - beganAt).toBeLessThan(4000);
    send("SIGCONT");
    await expect.poll(look, PATIENCE).toEqual([]);
  });

  test("a node that takes connections and does nothing more raises the alarm of one without a name", async () => {
    const look = subjectsSeen();
    const hanging = await clientAt(cluster.workers[0]?.url ?? "");
    await hanging.query("begin; lock table pg_settings in access exclusive mode");
    expect(await look()).toEqual(["nodes"]);
    await hanging.query("rollback");
    await expect.poll(look, PATIENCE).toEqual([]);
  });

  test("the doctor says what would make it slow", async () => {
    await expect
      .poll(async () => nodeChecks(await distributedDatabase(poolAt(cluster.url))), PATIENCE)
      .toEqual([expect.objectContaining({ result: "ok", detail: "readings are in 6 shards; all 3 nodes answer" })]);
    await cluster.coordinator.query("alter system set citus.recover_2pc_interval = '60s'");
    await cluster.coordinator.query("alter system set citus.max_cached_conns_per_worker = 1");
    await cluster.coordinator.query("select pg_reload_conf()");
    await expect
      .poll(
        async () => nodeChecks(await distributedDatabase(poolAt(cluster.url))).map(({ detail }) => detail),
        PATIENCE,
      )
      .toEqual([
        expect.stringMatching(/looks for transactions in doubt every 60 s/),
        expect.stringMatching(/3 shards of a node open connections again: 1 are kept/),
      ]);
  });

  test("no backup is made of it, which would be of no one moment", async () => {
    const folder = await mkdtemp(join(tmpdir(), "curtail-distributed-"));
    atEnd(() => rm(folder, { recursive: true, force: true }));
    const making = makeBackup({
      connection: { connectionString: cluster.url },
      folder: { dataDir: folder, archive: folder, secretsKeys: null },
      recipients: [],
      path: join(folder, "backup"),
      version: "0.0.0",
      onProgress: () => {},
      asked: new AbortController().signal,
    });
    await expect(making).rejects.toThrow(/^The readings of this database are on several nodes\. Back up the nodes/);
  });

  test("its size has the shards", async () => {
    const own = "select pg_database_size(current_database())::int as bytes";
    const size = async () => {
      const [row] = await cluster.coordinator.query<{ bytes: number }>(own);
      return (await databaseBytes(pool)) - (row?.bytes ?? 0);
    };
    const before = await size();
    await cluster.coordinator.query(
      "insert into telemetry_hours select site, 7, hour, array[1.5] from generate_series(1, 20) as site, generate_series(1, 500) as hour",
    );
    expect((await size()) - before).toBeGreaterThan(500_000);
  });

  test("is taken back by a word to Citus: nothing of the service is lost", async () => {
    const before = await content();
    for (const table of SHARDED_TABLES) await cluster.coordinator.query(`select undistribute_table('${table}')`);
    expect(await content()).toEqual(before);
    expect(await distributedDatabase(poolAt(cluster.url))).toBeNull();
  });
});
