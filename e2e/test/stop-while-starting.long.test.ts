import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { postgresIn, startGroup, startService } from "./support/process-group.js";
import { command, startProcess, temporaryFolder } from "./support/service-process.js";

const folder = await temporaryFolder();
afterAll(() => folder.remove());

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
  const dataDir = join(folder.path, path.join("-"));
  const child = spawn(process.execPath, [command, "serve"], { stdio: "ignore", env: environment(dataDir) });
  const ended = once(child, "exit");
  await vi.waitUntil(() => existsSync(join(dataDir, ...path)), { timeout: 60_000, interval: 5 });
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
  const next = await startProcess({ CURTAIL_DATA_DIR: dataDir });
  expect(next.lines.at(-1)).toBe("curtail ready");
  expect(await next.end("SIGTERM")).toBe(0);
});

const moments: ReadonlyArray<readonly [when: string, isThen: (dataDir: string) => boolean]> = [
  ["runs initdb", (dataDir) => namesIn(dataDir).some((name) => name.startsWith("postgres.new-"))],
  ["starts its database", (dataDir) => existsSync(join(dataDir, "postgres"))],
  ["migrates", (dataDir) => existsSync(join(dataDir, "postgres", "postmaster.pid"))],
];

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

test.each(moments)("Ctrl-C twice while the service %s ends it cleanly, nothing left running", async (when, isThen) => {
  const dataDir = join(folder.path, `group-${when.replaceAll(" ", "-")}`);
  const group = startService("node", { CURTAIL_DATA_DIR: dataDir });
  await vi.waitUntil(() => isThen(dataDir), { timeout: 60_000, interval: 1 });
  group.signalAll("SIGINT");
  group.signalAll("SIGTERM");
  expect(await group.ended()).toBe("exit 0");
  expect(await postgresIn(dataDir)).toEqual([]);
  expect(namesIn(dataDir).filter((name) => name !== "postgres")).toEqual([]);
  const next = await startProcess({ CURTAIL_DATA_DIR: dataDir });
  expect(await next.end("SIGTERM")).toBe(0);
});

test("Ctrl-C while `curtail migrate` makes the database ends it cleanly, nothing left running", async () => {
  const dataDir = join(folder.path, "migrate");
  const group = startGroup(process.execPath, [command, "migrate"], { CURTAIL_DATA_DIR: dataDir });
  await vi.waitUntil(() => existsSync(join(dataDir, "postgres", "postmaster.pid")), { timeout: 60_000, interval: 1 });
  group.signalAll("SIGINT");
  expect(await group.ended()).toBe("exit 0");
  expect(await postgresIn(dataDir)).toEqual([]);
});
