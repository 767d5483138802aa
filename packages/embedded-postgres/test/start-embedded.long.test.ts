import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { postgresProcessesIn } from "../src/processes.js";
import { startEmbedded } from "../src/start-embedded.js";
import {
  exists,
  kill,
  postmasterPid,
  preparedDirectory,
  query,
  running,
  runningElsewhere,
  silent,
  temporaryDirectory,
} from "./fixtures/playground.js";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const seconds = (n: number) => ({ timeout: n * 1_000, interval: 50 });

test("the database is durable, checksummed, in UTF-8 and UTC, and listens on no network", async () => {
  const { connection } = await running(await temporaryDirectory());
  const names =
    "'fsync','synchronous_commit','full_page_writes','data_checksums','server_encoding','TimeZone','listen_addresses'";
  const rows = await query(connection, `select name, setting from pg_settings where name in (${names})`);
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    data_checksums: "on",
    server_encoding: "UTF8",
    TimeZone: "UTC",
    listen_addresses: "",
  });
});

test("only its owner can enter the directory of the socket, and stop removes it", async () => {
  const embedded = await running(await preparedDirectory());
  const socketDir = embedded.connection.host;
  expect((await stat(socketDir)).mode & 0o777).toBe(0o700);
  await embedded.stop();
  expect(await exists(socketDir)).toBe(false);
});

test("stop may be called twice and leaves no process behind", async () => {
  const dataDir = await preparedDirectory();
  const embedded = await running(dataDir);
  await Promise.all([embedded.stop(), embedded.stop()]);
  expect(await postgresProcessesIn(join(dataDir, "postgres"))).toEqual([]);
});

test("a server that is killed is back within seconds at the same address, with every committed row", async () => {
  const dataDir = await preparedDirectory();
  const { connection } = await running(dataDir);
  await query(connection, "create table reading as select 1 as kw");
  const killed = await postmasterPid(dataDir);

  process.kill(killed, "SIGKILL");

  const rows = await vi.waitFor(() => query(connection, "select kw from reading"), seconds(10));
  expect(rows).toEqual([{ kw: 1 }]);
  expect(await postmasterPid(dataDir)).not.toBe(killed);
});

test("a second process on the directory is refused, and the first is unharmed", async () => {
  const dataDir = await preparedDirectory();
  const { connection } = await runningElsewhere(dataDir);
  await expect(startEmbedded({ dataDir, log: silent })).rejects.toThrow(
    `Another Curtail process is using the data directory ${dataDir}`,
  );
  expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a busy session that outlives the killed server does not hold up the next one", async () => {
  const dataDir = await preparedDirectory();
  const { connection } = await running(dataDir);
  const busy = query(connection, "select count(*) from generate_series(1, 1e12)").catch(() => "ended");
  const isBusy =
    "select 1 from pg_stat_activity where state = 'active' and query like '%1e12%' and pid <> pg_backend_pid()";
  await vi.waitFor(async () => expect(await query(connection, isBusy)).toHaveLength(1), seconds(5));

  process.kill(await postmasterPid(dataDir), "SIGKILL");

  await vi.waitFor(() => query(connection, "select 1"), seconds(10));
  expect(await busy).toBe("ended");
});

test("stop right after the server was killed does not bring it back", async () => {
  const dataDir = await preparedDirectory();
  const embedded = await running(dataDir);
  process.kill(await postmasterPid(dataDir), "SIGKILL");
  await embedded.stop();
  await vi.waitFor(async () => expect(await postgresProcessesIn(join(dataDir, "postgres"))).toEqual([]), seconds(5));
});

test.runIf(process.platform === "linux")("signals to our group do not reach the server", async () => {
  const dataDir = await preparedDirectory();
  await running(dataDir);
  const pid = await postmasterPid(dataDir);
  // Fields after the name in parentheses: state, parent, group, session (proc_pid_stat(5)).
  const [, , group, session] = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  expect([group, session]).toEqual([String(pid), String(pid)]);
});

test("an owner that gets SIGTERM stops its server", async () => {
  const dataDir = await preparedDirectory();
  const { owner } = await runningElsewhere(dataDir);
  await kill(owner, "SIGTERM");
  expect(owner.exitCode).toBe(0);
  expect(await postgresProcessesIn(join(dataDir, "postgres"))).toEqual([]);
});

test("of several that start at once after a crash, one gets the directory", async () => {
  const dataDir = await preparedDirectory();
  const { owner } = await runningElsewhere(dataDir);
  await kill(owner, "SIGKILL");

  const outcomes = await Promise.allSettled([running(dataDir), running(dataDir), running(dataDir)]);

  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
});

test("a data directory with a path longer than a socket's works", async () => {
  const dataDir = join(await temporaryDirectory(), "d".repeat(100), "e".repeat(100));
  await mkdir(dataDir, { recursive: true });
  const { connection } = await running(dataDir);
  expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a server that cannot start fails with its last words, and leaves the directory free", async () => {
  const dataDir = await temporaryDirectory();
  const options = { dataDir, log: silent, settings: { shared_buffers: "nonsense" } };
  await expect(startEmbedded(options)).rejects.toThrow(/invalid value for parameter "shared_buffers"/);
  const { connection } = await running(dataDir);
  expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
});
