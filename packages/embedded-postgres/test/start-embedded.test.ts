import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { postgresProcessesIn } from "../src/processes.js";
import { startEmbedded } from "../src/start-embedded.js";
import {
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

test("the first start makes a database, and a later start finds what was written", async () => {
  const dataDir = join(await temporaryDirectory(), "data");
  const first = await running(dataDir);
  await query(first.connection, "create table reading (kw float8)");
  await query(first.connection, "insert into reading values (4.2)");
  await first.stop();

  const second = await running(dataDir);

  expect(second.connection).toEqual(first.connection);
  expect(await query(second.connection, "select kw from reading")).toEqual([{ kw: 4.2 }]);
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

test("a start takes over from a killed process whose server lives on, with every committed row", async () => {
  const dataDir = await preparedDirectory();
  const { owner, connection } = await runningElsewhere(dataDir);
  await query(connection, "create table reading as select 7 as kw");
  const orphan = await postmasterPid(dataDir);
  await kill(owner, "SIGKILL");
  expect(await postgresProcessesIn(join(dataDir, "postgres"))).toContain(orphan);

  const next = await running(dataDir);

  expect(await query(next.connection, "select kw from reading")).toEqual([{ kw: 7 }]);
  expect(await postgresProcessesIn(join(dataDir, "postgres"))).not.toContain(orphan);
});

test("a second process on the directory is refused, and the first is unharmed", async () => {
  const dataDir = await preparedDirectory();
  const { connection } = await runningElsewhere(dataDir);
  await expect(startEmbedded({ dataDir, log: silent })).rejects.toThrow(
    `Another Curtail process is using the data directory ${dataDir}`,
  );
  expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
});
