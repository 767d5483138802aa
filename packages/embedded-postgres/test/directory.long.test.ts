import { chmod, chown, cp, lchown, mkdir, readdir, realpath, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startEmbedded } from "../src/start-embedded.js";
import {
  canBeRead,
  connectedAs,
  exists,
  isRoot,
  kill,
  nobody,
  postmasterPid,
  preparedDirectory,
  query,
  running,
  runningElsewhere,
  silent,
  temporaryDirectory,
} from "./fixtures/playground.js";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const start = (dataDir: string) => startEmbedded({ dataDir, log: silent });

test("a directory with foreign content is refused and left as it was", async () => {
  const dataDir = await temporaryDirectory();
  await mkdir(join(dataDir, "postgres"));
  await writeFile(join(dataDir, "postgres", "photo.jpg"), "");
  await expect(start(dataDir)).rejects.toThrow("is neither empty nor a PostgreSQL database. Move it away");
  expect(await readdir(join(dataDir, "postgres"))).toEqual(["photo.jpg"]);
});

test("a database of another major version is refused with the way out", async () => {
  const dataDir = await temporaryDirectory();
  await mkdir(join(dataDir, "postgres"));
  await writeFile(join(dataDir, "postgres", "PG_VERSION"), "15\n");
  await expect(start(dataDir)).rejects.toThrow(
    /was created by PostgreSQL 15, but this is \d+\. Set CURTAIL_POSTGRES_PROGRAMS/,
  );
});

test("a data directory that is a file is refused", async () => {
  const dataDir = join(await temporaryDirectory(), "data");
  await writeFile(dataDir, "");
  await expect(start(dataDir)).rejects.toThrow(`${dataDir} cannot be used: it, or one of its parents, is a file`);
});

test("the remains of an interrupted initdb are discarded and created again", async () => {
  const dataDir = await temporaryDirectory();
  const unfinished = join(dataDir, "postgres.new-aB3xYz");
  await mkdir(unfinished);
  await writeFile(join(unfinished, "PG_VERSION"), "18\n");
  await mkdir(join(dataDir, "postgres"));

  const { connection } = await running(dataDir);

  expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(await exists(unfinished)).toBe(false);
});

test("a start after a crash in which the old pid went to another process works", async () => {
  const dataDir = await preparedDirectory();
  await (await running(dataDir)).stop();
  await writeFile(join(dataDir, "postgres", "postmaster.pid"), `${process.pid}\n${dataDir}\n`);
  const { connection } = await running(dataDir);
  expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(await postmasterPid(dataDir)).not.toBe(process.pid);
});

test("a link to a data directory and the directory itself are the same one", async () => {
  const root = await temporaryDirectory();
  await symlink(join(root, "data"), join(root, "link"));
  await mkdir(join(root, "data"));
  await running(join(root, "data"));
  await expect(start(join(root, "link"))).rejects.toThrow(await realpath(join(root, "data")));
});

test.runIf(isRoot)("root runs the server as another user, who owns the database", async () => {
  const dataDir = await temporaryDirectory();
  await running(dataDir);
  const server = await stat(`/proc/${await postmasterPid(dataDir)}`);
  expect(server.uid).not.toBe(0);
  expect((await stat(join(dataDir, "postgres"))).uid).toBe(server.uid);
});

test.runIf(isRoot)("data may lie where the server's user cannot go, and survives crashes there", async () => {
  const root = await temporaryDirectory();
  await chmod(root, 0o700);
  const dataDir = join(root, "data");
  const { connection } = await running(dataDir);
  await query(connection, "create table reading as select 3 as kw");
  await query(connection, "checkpoint");

  process.kill(await postmasterPid(dataDir), "SIGKILL");
  const rows = await vi.waitFor(() => query(connection, "select kw from reading"), { timeout: 30_000 });

  expect(rows).toEqual([{ kw: 3 }]);
  expect(await query(connection, "select pg_reload_conf() as reloaded")).toEqual([{ reloaded: true }]);
});

test.runIf(isRoot)("an orphan is taken over where the server's user cannot go", async () => {
  const dataDir = await preparedDirectory();
  await chmod(dataDir, 0o700);
  const { owner, connection } = await runningElsewhere(dataDir);
  await query(connection, "create table reading as select 5 as kw");
  await kill(owner, "SIGKILL");
  const next = await running(dataDir);
  expect(await query(next.connection, "select kw from reading")).toEqual([{ kw: 5 }]);
});

test.runIf(isRoot)("a database that root copied back from a backup gets its owner and mode again", async () => {
  const dataDir = await preparedDirectory();
  const first = await running(dataDir);
  await query(first.connection, "create table reading as select 6 as kw");
  await first.stop();
  const cluster = join(dataDir, "postgres");
  await cp(cluster, `${cluster}.bak`, { recursive: true });
  await rename(cluster, `${cluster}.old`);
  await rename(`${cluster}.bak`, cluster);
  await chmod(cluster, 0o755);
  for (const name of await readdir(cluster, { recursive: true })) await lchown(join(cluster, name), 0, 0);

  const second = await running(dataDir);

  expect(await query(second.connection, "select kw from reading")).toEqual([{ kw: 6 }]);
});

test.runIf(isRoot && canBeRead)("an ordinary user runs the server as themselves", async () => {
  const dataDir = await temporaryDirectory();
  await chown(dataDir, nobody.uid, nobody.gid);
  const { owner, connection } = await runningElsewhere(dataDir, nobody);
  expect(await connectedAs(nobody.uid, connection)).toBe("let in");
  expect((await stat(`/proc/${await postmasterPid(dataDir)}`)).uid).toBe(nobody.uid);
  await kill(owner, "SIGTERM");
  expect(owner.exitCode).toBe(0);
});

test.runIf(isRoot && canBeRead)("an ordinary user is told when the data directory is not theirs", async () => {
  const dataDir = await temporaryDirectory();
  await chmod(dataDir, 0o755);
  await expect(runningElsewhere(dataDir, nobody)).rejects.toThrow("this user may not write there");
  await chown(dataDir, nobody.uid, nobody.gid);
  await mkdir(join(dataDir, "postgres"));
  await writeFile(join(dataDir, "postgres", "PG_VERSION"), "18\n");
  await expect(runningElsewhere(dataDir, nobody)).rejects.toThrow("belongs to uid 0. Start as that user or as root");
});
