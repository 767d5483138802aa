import { execFile } from "node:child_process";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { missingWords, type Opening } from "../../../src/backup/domain/content.js";
import { migrationsFor } from "../../../src/backup/storage/load-content.js";
import { makeBackup } from "../../../src/backup/storage/make-backup.js";
import { BackupFault } from "../../../src/platform/backup-fault.js";
import { newBackupKey, parseRecipient } from "../../../src/platform/backup-keys.js";
import { migrate } from "../../../src/platform/database/migrate.js";
import { parseMigration, readMigrations } from "../../../src/platform/database/migration.js";
import { CHECK_SETTING } from "../../../src/platform/database/sealed-secrets.js";
import { ACCOUNT, backupOf, database, read, temporaryFolder } from "../../support/backups-made.js";

test("a table that a migration rewrites while the backup begins is whole in it", async () => {
  const of = await database();
  await of.pool.query(ACCOUNT, ["acc_one", "One"]);
  const client = await of.pool.connect();
  await client.query("begin");
  // A default that has to be computed for each row makes a new table.
  await client.query("alter table accounts add column rewritten text default clock_timestamp()::text");
  const making = backupOf(of);
  await sleep(1500);
  await client.query("commit");
  client.release();
  const { rowsOf } = await read(await making);
  expect(rowsOf("public.accounts")).toMatch(/^acc_one\t\d+\tOne/m);
});

test("a migration that comes while a backup is being made gives way to it, and is applied afterwards", async () => {
  const of = await database();
  await of.pool.query(
    "insert into settings (name, value) select 'big ' || n, repeat(md5(n::text), 300) from generate_series(1, 3000) n",
  );
  const known = await readMigrations();
  const name = `${String(known.length + 1).padStart(4, "0")}_test.sql`;
  const next = parseMigration(name, known.length, "-- breaks: no\nalter table settings add column added int;");
  const [path, migrated] = await Promise.all([backupOf(of), migrate(of.pool, { known: [...known, next] })]);
  expect(migrated.applied).toEqual([name]);
  const { manifest } = await read(path);
  expect(manifest.parts.find((part) => part.name === "public.settings")?.rows).toBeGreaterThanOrEqual(3000);
});

test("archived files are read after the transaction has ended, however long that takes", async () => {
  const of = await database();
  await of.pool.query(
    `insert into telemetry_archives (site, month, file, readings, bytes, sha256, archived_at)
     values (1, 24300, 'slow.csv.gz', 1, 1, '', now())`,
  );
  const folder = await temporaryFolder();
  const slow = join(folder, "slow.csv.gz");
  // Whoever reads it waits until somebody writes.
  await promisify(execFile)("mkfifo", [slow]);
  const path = join(folder, "test.backup");
  const order = { connection: of.connection, recipients: [], path, version: "0.1.0", onProgress: () => {} };
  const saved = { dataDir: folder, archive: folder, secretsKeys: null };
  let isMade = false;
  const making = makeBackup({ ...order, folder: saved, asked: new AbortController().signal }).then(() => {
    isMade = true;
  });
  const open = async () => {
    const { rows } = await of.pool.query(
      "select xact_start from pg_stat_activity where application_name = 'curtail backup' and datname = current_database()",
    );
    return rows.map(({ xact_start }) => xact_start);
  };
  await expect.poll(open).toEqual([null]);
  expect(isMade).toBe(false);
  await writeFile(slow, "readings");
  await making;
  const { manifest } = await read(path);
  expect(manifest.parts.find(({ name }) => name === "telemetry-archive/slow.csv.gz")?.bytes).toBe(8);
});

test("a backup for which there is no room is refused before it is begun, with what is needed and free", async () => {
  const of = await database();
  const folder = await temporaryFolder();
  const path = join(folder, "test.backup");
  const order = { connection: of.connection, recipients: [], path, version: "0.1.0", onProgress: () => {} };
  const saved = { dataDir: folder, archive: folder, secretsKeys: null };
  const asked = new AbortController().signal;
  const making = makeBackup({ ...order, folder: saved, asked, freeBytes: async () => 1000 });
  await expect(making).rejects.toThrow(/^Make room, .*about \d+ kB are needed in .*; 1 kB are free\.$/);
  expect(await readdir(folder)).toEqual([]);
  await makeBackup({ ...order, folder: saved, asked, freeBytes: async () => null });
  await rm(path);
  await makeBackup({ ...order, folder: saved, asked, freeBytes: async () => 1000, isForced: true });
  await rm(path);
  await makeBackup({ ...order, folder: saved, asked, freeBytes: async () => 1000, expectedBytes: 999 });
});

test("without the key of its secrets no backup is made, unless keys are left out or set", async () => {
  const of = await database();
  const to = parseRecipient(newBackupKey().recipient);
  if (to === null) throw new Error("a key that was just made cannot be read");
  await backupOf(of, { recipients: [to] });
  await of.pool.query("insert into settings (name, value) values ($1, 'sealed')", [CHECK_SETTING]);
  await expect(backupOf(of, { recipients: [to] })).rejects.toThrow(/There is no secrets\.key in .*CURTAIL_SECRETS_KEY/);
  await backupOf(of, { recipients: [to], secretsKeys: [Buffer.alloc(32)] });
  await backupOf(of);
});

test("archived files that are not there are named in the backup", async () => {
  const of = await database();
  await of.pool.query(
    `insert into telemetry_archives (site, month, file, readings, bytes, sha256, archived_at)
     values (1, 24300, '2025-01/gone.csv.gz', 1, 1, '', now())`,
  );
  const { manifest } = await read(await backupOf(of));
  expect(manifest.missing).toEqual(["telemetry-archive/2025-01/gone.csv.gz"]);
  expect(missingWords(manifest.missing)).toEqual([
    expect.stringMatching(/^1 archived files were not there.*2025-01\/gone\.csv\.gz$/),
  ]);
});

test("a table of another application is refused before anything is written", async () => {
  const of = await database();
  await of.pool.query("create table widgets (id int)");
  await expect(backupOf(of)).rejects.toThrow("tables that Curtail did not make: public.widgets");
});

test("a backup of a newer schema, or of other migrations, is refused by name; one of an older schema is not", async () => {
  const known = await readMigrations();
  const migrations = known.map(({ name, checksum }) => ({ name, checksum }));
  const opening: Opening = { migrations, hasKeys: false, databaseBytes: null, archiveBytes: null };
  const faultOf = (made: Opening["migrations"]): string => {
    try {
      migrationsFor({ ...opening, migrations: made }, known, "9.9.9");
      return "none";
    } catch (error) {
      return error instanceof BackupFault ? `${error.kind}: ${error.message}` : String(error);
    }
  };
  expect(faultOf(opening.migrations)).toBe("none");
  expect(faultOf(opening.migrations.slice(0, -3))).toBe("none");
  expect(faultOf([...opening.migrations, { name: "9999_new.sql", checksum: "" }])).toMatch(
    /^newer_schema: .*9999_new\.sql.*Curtail 9\.9\.9/s,
  );
  expect(faultOf(opening.migrations.with(3, { name: "0004_other.sql", checksum: "x" }))).toMatch(
    /^other_schema: .*0004/s,
  );
});
