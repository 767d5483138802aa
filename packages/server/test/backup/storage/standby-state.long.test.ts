import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import {
  type Standby,
  type SystemDatabase,
  startSystemPostgres,
  systemPostgres,
} from "@curtail/testing/system-postgres";
import pg from "pg";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BackupOrder, makeBackup } from "../../../src/backup/storage/make-backup.js";
import { openPool } from "../../../src/platform/database/database.js";
import { migrate } from "../../../src/platform/database/migrate.js";
import { parseMigration, readMigrations } from "../../../src/platform/database/migration.js";
import { read, temporaryFolder } from "../../support/backups-made.js";

const bin = systemPostgres();

const SETTINGS = "insert into settings (name, value) select $1 || n, repeat('x', 2000) from generate_series(1, 2000) n";
const PATIENCE = { timeout: 30_000 };

/** A role that is no superuser and has no rights beyond its database. */
const ofService = (url: string): string =>
  url.replace("operator:secret", "curtail:secret").replace(/postgres$/, "curtail");

/** Between the moment of the state and the first table. */
const midway = (work: () => Promise<unknown>): Partial<BackupOrder> => ({
  freeBytes: async () => {
    await work();
    return null;
  },
});

describe.skipIf(bin === null)("a backup that is read from a standby (needs postgresql-15 or newer installed)", () => {
  let primary: SystemDatabase;
  let standby: Standby;
  let pool: pg.Pool;
  let folder: string;

  beforeAll(async () => {
    primary = await startSystemPostgres(bin ?? "");
    atEnd(() => primary.remove());
    standby = await primary.addStandby("standby");
    const owner = openPool({ connectionString: primary.url }, () => {}, { max: 1 });
    await owner.query("create role curtail login password 'secret'");
    await owner.query("create database curtail owner curtail");
    await owner.end();
    pool = openPool({ connectionString: ofService(primary.url) }, () => {}, { max: 4 });
    atEnd(() => pool.end());
    await migrate(pool);
    await pool.query("alter table settings set (autovacuum_enabled = off)");
    await onStandby("alter system set max_standby_streaming_delay = '200ms'");
  });

  const onStandby = async (text: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: standby.url });
    await client.connect();
    try {
      const { rows } = await client.query(text);
      await client.query("select pg_reload_conf()");
      return rows;
    } finally {
      await client.end();
    }
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(async () => {
    await onStandby("alter system reset hot_standby_feedback");
    await pool.query("delete from settings where name like 'big%'");
  });

  const orderOf = (given: Partial<BackupOrder> = {}): BackupOrder => ({
    connection: { connectionString: ofService(primary.url) },
    standby: { connectionString: ofService(standby.url) },
    folder: { dataDir: folder, archive: folder, secretsKeys: null },
    recipients: [],
    path: join(folder, "test.backup"),
    version: "0.1.0",
    onProgress: () => {},
    asked: new AbortController().signal,
    ...given,
  });

  const replayed = async (): Promise<void> => {
    const { rows } = await pool.query<{ position: string }>("select pg_current_wal_flush_lsn()::text as position");
    const reached = `select pg_last_wal_replay_lsn() >= '${rows[0]?.position}' as reached`;
    await expect.poll(() => onStandby(reached), PATIENCE).toEqual([{ reached: true }]);
  };

  const backups = async (): Promise<readonly string[]> => readdir(folder);

  test("has everything that was committed before, and nothing of what comes meanwhile", async () => {
    await pool.query(SETTINGS, ["big before "]);
    const later = midway(() => pool.query(SETTINGS, ["big later "]));
    await makeBackup(orderOf(later));
    const { rowsOf } = await read(join(folder, "test.backup"));
    expect(rowsOf("public.settings").match(/^big before /gm)).toHaveLength(2000);
    expect(rowsOf("public.settings")).not.toContain("big later");
  });

  test("waits until the standby has what was committed before it began", async () => {
    await onStandby("select pg_wal_replay_pause()");
    await pool.query(SETTINGS, ["big behind "]);
    const making = makeBackup(orderOf());
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await backups()).toEqual([]);
    await onStandby("select pg_wal_replay_resume()");
    await making;
    const { rowsOf } = await read(join(folder, "test.backup"));
    expect(rowsOf("public.settings").match(/^big behind /gm)).toHaveLength(2000);
  });

  /** What the backup reads is dead, and a vacuum removes it at the primary and then at the standby. */
  const removed = async (): Promise<void> => {
    await pool.query("delete from settings where name like 'big%'");
    await pool.query("vacuum settings");
    await replayed();
  };

  test("fails with the cure, and leaves no file, if the standby follows a vacuum that removes what it reads", async () => {
    await pool.query(SETTINGS, ["big gone "]);
    await expect(makeBackup(orderOf(midway(removed)))).rejects.toThrow(
      /^The standby cancelled the backup .*Set hot_standby_feedback = on/,
    );
    expect(await backups()).toEqual([]);
  });

  test("does not hold up a vacuum that shortens a table, which the standby has to follow", async () => {
    await pool.query(SETTINGS, ["big short "]);
    await pool.query("delete from settings where name like 'big%'");
    const size = async (): Promise<number> =>
      (await pool.query<{ size: number }>("select pg_relation_size('settings')::int as size")).rows[0]?.size ?? 0;
    const before = await size();
    const shortened = async (): Promise<void> => {
      await pool.query("vacuum (truncate) settings");
      expect(await size()).toBeLessThan(before);
      await replayed();
    };
    await makeBackup(orderOf(midway(shortened)));
  });

  const primaryRows = async (text: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: primary.url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };

  const knownToPrimary = async (): Promise<void> => {
    const seen = "select xmin is not null as seen from pg_replication_slots";
    await expect.poll(async () => (await primaryRows(seen))[0], { timeout: 20_000 }).toEqual({ seen: true });
    await removed();
  };

  test("is whole with hot_standby_feedback, which keeps what it reads", async () => {
    await onStandby("alter system set hot_standby_feedback = on");
    await pool.query(SETTINGS, ["big kept "]);
    await makeBackup(orderOf(midway(knownToPrimary)));
    const { rowsOf } = await read(join(folder, "test.backup"));
    expect(rowsOf("public.settings").match(/^big kept /gm)).toHaveLength(2000);
  });

  test("fails if the schema is upgraded meanwhile: a table that was rewritten would look empty", async () => {
    const known = await readMigrations();
    const name = `${String(known.length + 1).padStart(4, "0")}_test.sql`;
    const text = "-- breaks: no\nalter table accounts add column rewritten text default clock_timestamp()::text;";
    const next = parseMigration(name, known.length, text);
    const upgraded = async (): Promise<void> => {
      await migrate(pool, { known: [...known, next] });
      await replayed();
    };
    await expect(makeBackup(orderOf(midway(upgraded)))).rejects.toThrow("The schema was upgraded while");
    expect(await backups()).toEqual([]);
    await pool.query("alter table accounts drop column rewritten");
    await pool.query("delete from schema_migrations where name = $1", [name]);
  });

  test("refuses a standby of another database", async () => {
    const other = await startSystemPostgres(bin ?? "");
    atEnd(() => other.remove());
    const order = orderOf({ standby: { connectionString: other.url } });
    await expect(makeBackup(order)).rejects.toThrow("is no standby of that of DATABASE_URL");
  });

  // The last: it is no standby any more.
  test("is read from the primary itself once the standby leads", async () => {
    standby.promote();
    await pool.query(SETTINGS, ["big primary "]);
    await makeBackup(orderOf());
    const { rowsOf } = await read(join(folder, "test.backup"));
    expect(rowsOf("public.settings").match(/^big primary /gm)).toHaveLength(2000);
  });
});
