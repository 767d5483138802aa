import { atEnd } from "@curtail/testing/at-end";
import {
  type Standby,
  type SystemDatabase,
  startSystemPostgres,
  systemPostgres,
} from "@curtail/testing/system-postgres";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { watchedStandbys } from "../../../src/app/wire/watched-standbys.js";
import { openPool } from "../../../src/platform/database/database.js";
import { replicationState } from "../../../src/platform/database/replication-state.js";
import { readConfig } from "../../../src/platform/runtime/config.js";

const bin = systemPostgres();
const PATIENCE = { timeout: 20_000, interval: 100 };

const opened = (connectionString: string): pg.Pool => {
  const pool = openPool({ connectionString }, () => {}, { max: 2 });
  atEnd(() => pool.end());
  return pool;
};

describe.skipIf(bin === null)("standbys of an external database (needs postgresql-15 or newer installed)", () => {
  let primary: SystemDatabase;
  let url: string;
  let owner: pg.Pool;
  let standby: Standby;

  beforeAll(async () => {
    primary = await startSystemPostgres(bin ?? "");
    atEnd(() => primary.remove());
    ({ url } = primary);
    owner = opened(url);
    standby = await primary.addStandby("two");
  });

  /** What is wrong, by the watch of a service whose limits are a megabyte. */
  const watch = (pool: pg.Pool, settings: Readonly<Record<string, string>> = {}) => {
    const limits = {
      CURTAIL_STANDBY_LAG_MB: "1",
      CURTAIL_STANDBY_SLOT_MB: "1",
      CURTAIL_OPERATOR_TOKEN: "t".repeat(32),
    };
    const read = readConfig({ DATABASE_URL: url, ...limits, ...settings });
    if ("faults" in read) throw new Error(read.faults.join("\n"));
    const warnings: string[] = [];
    const logger = { warn: (_: object, message: string) => void warnings.push(message) };
    const look = watchedStandbys({ config: read.config, pool, logger });
    return { warnings, look: async () => (await look()).map(({ subject }) => subject) };
  };

  const askFor = async (names: string): Promise<void> => {
    await owner.query(`alter system set synchronous_standby_names = '${names}'`);
    await owner.query("select pg_reload_conf()");
  };

  /** Over a client that does not mind. */
  const onStandby = async (statement: string): Promise<void> => {
    const client = new pg.Client(standby.url);
    await client.connect();
    await client.query(statement);
    await client.end();
  };

  const writeLog = (): Promise<unknown> =>
    owner.query("select pg_logical_emit_message(true, 'test', repeat('x', 3000000))");

  test("are as they should be while the one that is asked for streams", async () => {
    await askFor("two");
    await expect.poll(watch(owner).look, PATIENCE).toEqual([]);
  });

  test("raise the alarm while one is behind, for a role that may see it", async () => {
    await owner.query("create role plain login password 'plain'");
    await onStandby("select pg_wal_replay_pause()");
    await writeLog();
    const plain = opened(url.replace("operator:secret", "plain:plain"));
    const blind = watch(plain);
    await expect.poll(watch(owner).look, PATIENCE).toEqual(["standby two"]);
    expect([await blind.look(), await blind.look()]).toEqual([[], []]);
    expect(blind.warnings).toEqual([expect.stringMatching(/grant pg_monitor/)]);
    await owner.query("grant pg_monitor to plain");
    expect(await blind.look()).toEqual(["standby two"]);
    await onStandby("select pg_wal_replay_resume()");
    await expect.poll(watch(owner).look, PATIENCE).toEqual([]);
  });

  test("are not watched where the database does not say what it is asked: one warning, and no failure", async () => {
    await owner.query("revoke execute on function pg_current_wal_lsn() from public");
    const { look, warnings } = watch(opened(url.replace("operator:secret", "plain:plain")));
    expect([await look(), await look()]).toEqual([[], []]);
    expect(warnings).toHaveLength(1);
    await owner.query("grant execute on function pg_current_wal_lsn() to public");
    expect([await look(), warnings.length]).toEqual([[], 1]);
  });

  test("raise the alarm while the one that is asked for is away, and until its slot is read", async () => {
    await standby.kill();
    await expect.poll(watch(owner).look, PATIENCE).toEqual(["standbys"]);
    // As patroni does, so that the service goes on.
    await askFor("");
    await expect.poll(watch(owner).look, PATIENCE).toEqual([]);
    expect(await watch(owner, { CURTAIL_DATABASE_STANDBYS: "1" }).look()).toEqual(["standbys"]);
    await writeLog();
    expect(await watch(owner).look()).toEqual(["slot two"]);
    await standby.start();
    await askFor("two");
    await expect.poll(watch(owner, { CURTAIL_DATABASE_STANDBYS: "1" }).look, PATIENCE).toEqual([]);
  });

  // The last: it starts the primary again.
  test("say whether the log is archived", async () => {
    const archiving = async () => (await replicationState(owner))?.archiving;
    await owner.query("alter system set archive_mode = on");
    await owner.query("alter system set archive_command = 'false'");
    await owner.query("alter system set synchronous_standby_names = ''");
    await primary.kill();
    await primary.start();
    await owner.query("select pg_switch_wal()").catch(() => owner.query("select pg_switch_wal()"));
    const failed = { file: expect.stringMatching(/^[0-9A-F]{24}$/), seconds: expect.any(Number) };
    await expect.poll(archiving, PATIENCE).toEqual(failed);
    await owner.query("alter system set archive_command = 'true'");
    await owner.query("select pg_reload_conf()");
    await expect.poll(archiving, { timeout: 90_000 }).toBeNull();
  });
});
