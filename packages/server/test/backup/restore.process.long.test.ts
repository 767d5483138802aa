import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "@curtail/embedded-postgres";
import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import { restoreBackup } from "../../src/app/commands/restore-backup.js";
import { verifyBackup } from "../../src/app/commands/verify-backup.js";
import { withBackupClient } from "../../src/backup/storage/backup-connection.js";
import { findHold } from "../../src/backup/storage/delivery-hold.js";
import { makeBackup } from "../../src/backup/storage/make-backup.js";
import { openPrimary } from "../../src/backup/storage/opened-state.js";
import { openContents } from "../../src/backup/storage/write-content.js";
import { openPool } from "../../src/platform/database/database.js";
import { migrate } from "../../src/platform/database/migrate.js";
import { readMigrations } from "../../src/platform/database/migration.js";
import { CHECK_SETTING } from "../../src/platform/database/sealed-secrets.js";
import { ownOwner } from "../../src/platform/files/file-owner.js";
import { writeWholeFile } from "../../src/platform/files/new-file.js";
import { sealed } from "../../src/platform/files/sealed-file.js";
import { zipped } from "../../src/platform/files/zipped.js";
import { buildLogger } from "../../src/platform/runtime/logger.js";
import { emptyDatabase, type TestDatabase } from "../support/database.js";

const silent = buildLogger("silent");
const never = new AbortController().signal;
/** The newest schema that versions without backups had is older than this. */
const OLDER_BY = 3;

const folder = await mkdtemp(join(tmpdir(), "curtail-restore-"));
atEnd(() => rm(folder, { recursive: true, force: true }));

const older = async (): Promise<TestDatabase> => {
  const database = await emptyDatabase();
  atEnd(() => database.drop());
  await migrate(database.pool, { known: (await readMigrations()).slice(0, -OLDER_BY) });
  return database;
};

const backupOf = async ({ connection }: TestDatabase, name: string): Promise<string> => {
  const path = join(folder, name);
  await makeBackup({
    connection,
    folder: { dataDir: folder, archive: folder, secretsKeys: null },
    recipients: [],
    path,
    version: "0.1.0",
    onProgress: () => {},
    asked: never,
  });
  return path;
};

/** With one archived file of so many bytes. */
const archivedBackupOf = async (database: TestDatabase, bytes: number): Promise<string> => {
  await mkdir(join(folder, "2025-01"), { recursive: true });
  await writeFile(join(folder, "2025-01", "kept.csv.gz"), Buffer.alloc(bytes));
  await database.pool.query(
    `insert into telemetry_archives (site, month, file, readings, bytes, sha256, archived_at)
     values (1, 24300, '2025-01/kept.csv.gz', 1, $1, '', now())`,
    [bytes],
  );
  return backupOf(database, "archived.backup");
};

const order = (file: string, asked: AbortSignal = never) => ({
  file,
  identity: null,
  logger: silent,
  onProgress: () => asked.throwIfAborted(),
  asked,
});

test("a backup of an older version is restored, and the newer one migrates it; ids go on where they were", async () => {
  const database = await older();
  await database.pool.query(
    "insert into accounts (id, name, disabled, created_at) values ('acc_one', 'One', false, '2026-01-01Z')",
  );
  const entry =
    "insert into audit_log (at, actor, action, subject) values (now(), 'operator', 'account.create', 'acc_one')";
  await database.pool.query(`${entry}; ${entry}; ${entry}`);
  const file = await backupOf(database, "older.backup");
  const directory = join(folder, "older");
  await restoreBackup(directory, order(file));
  expect((await verifyBackup({ ...order(file), onKept: () => {} })).faults).toEqual([]);

  const embedded = await startEmbedded({ dataDir: directory, log: silent });
  atEnd(() => embedded.stop());
  const pool = openPool(embedded.connection, () => {}, { max: 2 });
  atEnd(() => pool.end());
  const { applied } = await migrate(pool);
  expect(applied).toHaveLength(OLDER_BY);
  const { rows } = await pool.query<{ seq: number }>(`${entry} returning seq`);
  expect(rows[0]?.seq).toBe(4);
  expect((await pool.query("select name from accounts")).rows).toEqual([{ name: "One" }]);
  await expect(pool.query("delete from audit_log")).rejects.toThrow("append-only");
  expect((await findHold(pool))?.heldAt).toBeInstanceOf(Date);
});

const number = async ({ pool }: Pick<TestDatabase, "pool">, id: string): Promise<number> => {
  const text = "insert into dated_ids (kind, id) values ('dispatch', $1) returning number";
  return (await pool.query<{ number: number }>(text, [id])).rows[0]?.number ?? 0;
};

test("a number of an earlier interface version that was given after the backup is never given to another entity", async () => {
  const database = await emptyDatabase();
  atEnd(() => database.drop());
  await migrate(database.pool);
  await number(database, "dsp_before");
  const file = await backupOf(database, "numbers.backup");
  const after = await number(database, "dsp_after");
  const directory = join(folder, "numbers");
  await restoreBackup(directory, order(file));
  const embedded = await startEmbedded({ dataDir: directory, log: silent });
  atEnd(() => embedded.stop());
  const pool = openPool(embedded.connection, () => {}, { max: 1 });
  atEnd(() => pool.end());
  expect(await number({ pool }, "dsp_other")).toBeGreaterThan(after + 900_000);
});

test("a backup that says it has keys and lacks the one of its secrets is not good, and says what else was not there", async () => {
  const database = await older();
  await database.pool.query("insert into settings (name, value) values ($1, 'sealed')", [CHECK_SETTING]);
  const file = join(folder, "keyless.backup");
  const missing = ["telemetry-archive/gone.csv.gz"];
  await withBackupClient(database.connection, async (client) => {
    const contents = await openContents(await openPrimary(client, never));
    const header = { madeAt: contents.at.toISOString(), version: "0.1.0", schema: contents.migrations.length };
    const records = contents.records({ files: [], missing, hasKeys: true, onProgress: () => {} });
    await writeWholeFile(file, sealed(header, [], zipped(records)));
  });
  const { faults, manifest } = await verifyBackup({ ...order(file), onKept: () => {} });
  expect(faults).toEqual([expect.stringContaining("secrets.key is missing")]);
  expect(manifest.missing).toEqual(missing);
});

test("a restore that is asked to stop leaves neither a directory nor a database that runs", async () => {
  const file = await backupOf(await older(), "stopped.backup");
  const stopping = new AbortController();
  const directory = join(folder, "stopped");
  const restoring = restoreBackup(directory, {
    ...order(file, stopping.signal),
    onProgress: () => stopping.abort(),
  });
  await expect(restoring).rejects.toThrow(/abort/i);
  expect((await readdir(folder)).filter((name) => name.includes("stopped") && !name.endsWith(".backup"))).toEqual([]);
});

const MARK = "curtail-restoring.json";
const markOf = (owner: string): string => JSON.stringify({ owner });
/** The mark of a process that has ended. */
const leftMark = async (): Promise<string> => {
  const [space] = (await ownOwner()).split(".");
  return markOf(`${space}.${spawnSync(process.execPath, ["--version"]).pid}.1`);
};
/** The mark of a process in another container, with numbers that are used here. */
const foreignMark = async (): Promise<string> => markOf((await ownOwner()).replace(/^\w+/, "0123abcd"));

test("what another user made where a restore works is neither followed nor removed", async () => {
  const file = await backupOf(await older(), "shared.backup");
  const victim = join(folder, "victim");
  await mkdir(join(victim, "data"), { recursive: true });
  await writeFile(join(victim, "data", "precious"), "");
  await writeFile(join(victim, MARK), await leftMark());
  await symlink(victim, join(folder, ".shared.restoring"));
  await expect(restoreBackup(join(folder, "shared"), order(file))).rejects.toThrow(/^Remove .*\.shared\.restoring, or/);
  expect(await readdir(join(victim, "data"))).toEqual(["precious"]);
  await mkdir(join(folder, ".plain.restoring"));
  await writeFile(join(folder, ".plain.restoring", "notes"), "");
  await expect(restoreBackup(join(folder, "plain"), order(file))).rejects.toThrow(/^Remove .*\.plain\.restoring, or/);
  expect(await readdir(join(folder, ".plain.restoring"))).toEqual(["notes"]);
});

test("what a killed restore left is removed by the next one, and what a running one uses is not", async () => {
  const file = await backupOf(await older(), "left.backup");
  const aside = join(folder, ".left.restoring");
  await mkdir(join(aside, "data"), { recursive: true });
  await writeFile(join(aside, "data", "decrypted"), "");
  for (const mark of [markOf(await ownOwner()), await foreignMark()]) {
    await writeFile(join(aside, MARK), mark);
    await expect(restoreBackup(join(folder, "left"), order(file))).rejects.toThrow(
      /^Wait until the other restore ends/,
    );
  }
  await writeFile(join(aside, MARK), await leftMark());
  let mode = 0;
  const onProgress = (): void => {
    void stat(aside).then((found) => {
      mode = found.mode & 0o777;
    });
  };
  await restoreBackup(join(folder, "left"), { ...order(file), onProgress });
  expect(mode).toBe(0o700);
  expect((await readdir(folder)).filter((name) => name === ".left.restoring")).toEqual([]);
  expect(await readdir(join(folder, "left"))).not.toContain("decrypted");
});

const scratch = () => mkdtemp(join(tmpdir(), "curtail-verify-"));

test("a verification removes what killed ones left, by their mark only", async () => {
  const file = await backupOf(await older(), "verified.backup");
  const [left, forgotten, used, foreign] = [await scratch(), await scratch(), await scratch(), await scratch()];
  for (const each of [used, foreign]) atEnd(() => rm(each, { recursive: true }));
  for (const each of [left, forgotten, used, foreign]) await writeFile(join(each, "decrypted"), "");
  await writeFile(join(left, MARK), await leftMark());
  for (const each of [forgotten, used]) await writeFile(join(each, MARK), await foreignMark());
  const before = Date.now() / 1000 - 121;
  await utimes(join(forgotten, MARK), before, before);
  const kept = new Map<string, string>();
  await verifyBackup({ ...order(file), onKept: (path, reason) => kept.set(path, reason) });
  for (const each of [left, forgotten]) expect(await stat(each).catch(() => null)).toBeNull();
  expect(await readdir(foreign)).toEqual(["decrypted"]);
  expect(await readdir(used)).toContain("decrypted");
  expect([kept.get(used), kept.get(foreign)]).toEqual([
    "another process works there, or was killed a moment ago",
    "it has no mark of this user",
  ]);
});

test("a restore for which there is no room is refused before anything is made, unless it is forced", async () => {
  const file = await backupOf(await older(), "large.backup");
  const given = { ...order(file), freeBytes: async () => 100_000_000 };
  const restoring = restoreBackup(join(folder, "large"), given);
  await expect(restoring).rejects.toThrow(
    /^Make room, .*--force.*: about 2\d\d\.\d MB are needed .*; 100\.0 MB are free/,
  );
  expect((await readdir(folder)).filter((name) => /large(?!\.backup)/.test(name))).toEqual([]);
  await restoreBackup(join(folder, "large"), { ...given, isForced: true });
  expect(await readdir(join(folder, "large"))).toContain("postgres");
});

/** The room that a restore of a backup asks for. */
const neededFor = async (of: string): Promise<number> => {
  let needed = 0;
  const onSpace = (space: { readonly needed: number }): void => void (needed = space.needed);
  const refused = { ...order(of), onSpace, freeBytes: async () => 0 };
  await expect(restoreBackup(join(folder, "archived"), refused)).rejects.toThrow(/^Make room/);
  return needed;
};

test("a restore needs room for archived files, too", async () => {
  const database = await older();
  const file = await backupOf(database, "small.backup");
  const archived = await archivedBackupOf(database, 20_000_000);
  const more = (await neededFor(archived)) - (await neededFor(file));
  // The database itself may grow, and be vacuumed, in between.
  expect(more).toBeGreaterThan(20_000_000 - 1_000_000);
  expect(more).toBeLessThan(20_000_000 + 1_000_000);
});
