import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { postgresProcessesIn } from "../src/processes.js";
import {
  kill,
  postmasterPid,
  preparedDirectory,
  query,
  running,
  runningElsewhere,
  temporaryDirectory,
} from "./fixtures/playground.js";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

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
