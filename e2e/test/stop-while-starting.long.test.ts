import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { keepAuthority, takeAuthority } from "./support/authority.js";
import { postgresIn, startGroup, startService } from "./support/process-group.js";
import { command, startProcess, temporaryFolder } from "./support/service-process.js";

const folder = await temporaryFolder();
afterAll(() => folder.remove());

/** A data directory without a database. */
const emptyDirectory = async (name: string): Promise<string> => {
  const dataDir = join(folder.path, name);
  await takeAuthority(dataDir);
  return dataDir;
};

const expectNextStart = async (dataDir: string): Promise<void> => {
  const next = await startProcess({ CURTAIL_DATA_DIR: dataDir });
  expect(next.lines.at(-1)).toBe("curtail ready");
  expect(await next.end("SIGTERM")).toBe(0);
  await keepAuthority(dataDir);
};

const environment = (dataDir: string) => ({
  PATH: process.env["PATH"],
  CURTAIL_PORT: "0",
  CURTAIL_SANDBOX_PORT: "0",
  CURTAIL_OPENADR_PORT: "0",
  CURTAIL_OPENADR3_PORT: "0",
  CURTAIL_DATA_DIR: dataDir,
});

test.each([
  ["makes its database", ["postgres"]],
  ["brings its database up", ["postgres", "postmaster.pid"]],
])("SIGTERM while the service %s ends it cleanly, and the next start goes well", async (_when, path) => {
  const dataDir = await emptyDirectory(path.join("-"));
  const child = spawn(process.execPath, [command, "serve"], { stdio: "ignore", env: environment(dataDir) });
  const ended = once(child, "exit");
  await vi.waitUntil(() => existsSync(join(dataDir, ...path)), { timeout: 60_000, interval: 5 });
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
  await expectNextStart(dataDir);
});

const moments: ReadonlyArray<readonly [when: string, isThen: (dataDir: string) => boolean]> = [
  ["runs initdb", (dataDir) => namesIn(dataDir).some((name) => name.startsWith("postgres.new-"))],
  ["starts its database", (dataDir) => existsSync(join(dataDir, "postgres"))],
  ["migrates", (dataDir) => existsSync(join(dataDir, "postgres", "postmaster.pid"))],
];

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

test.each(moments)("Ctrl-C twice while the service %s ends it cleanly, nothing left running", async (when, isThen) => {
  const dataDir = await emptyDirectory(`group-${when.replaceAll(" ", "-")}`);
  const before = namesIn(dataDir);
  const group = startService("node", { CURTAIL_DATA_DIR: dataDir });
  await vi.waitUntil(() => isThen(dataDir), { timeout: 60_000, interval: 1 });
  group.signalAll("SIGINT");
  group.signalAll("SIGTERM");
  expect(await group.ended()).toBe("exit 0");
  expect(await postgresIn(dataDir)).toEqual([]);
  expect(namesIn(dataDir).filter((name) => name !== "postgres")).toEqual(before);
  await expectNextStart(dataDir);
});

test("Ctrl-C while `curtail migrate` makes the database ends it cleanly, nothing left running", async () => {
  const dataDir = join(folder.path, "migrate");
  const group = startGroup(process.execPath, [command, "migrate"], { CURTAIL_DATA_DIR: dataDir });
  await vi.waitUntil(() => existsSync(join(dataDir, "postgres", "postmaster.pid")), { timeout: 60_000, interval: 1 });
  group.signalAll("SIGINT");
  expect(await group.ended()).toBe("exit 0");
  expect(await postgresIn(dataDir)).toEqual([]);
});
