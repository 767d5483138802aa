import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { command, startProcess, temporaryFolder } from "./support/service-process.js";

const folder = await temporaryFolder();
afterAll(() => folder.remove());

const environment = (dataDir: string) => ({
  PATH: process.env["PATH"],
  CURTAIL_PORT: "0",
  CURTAIL_SANDBOX_PORT: "0",
  CURTAIL_OPENADR_PORT: "0",
  CURTAIL_DATA_DIR: dataDir,
});

test.each([
  ["makes its database", ["postgres"]],
  ["brings its database up", ["postgres", "postmaster.pid"]],
])("SIGTERM while the service %s ends it cleanly, and the next start goes well", async (_when, path) => {
  const dataDir = join(folder.path, path.join("-"));
  const child = spawn(process.execPath, [command, "serve"], { stdio: "ignore", env: environment(dataDir) });
  const ended = once(child, "exit");
  await vi.waitUntil(() => existsSync(join(dataDir, ...path)), { timeout: 20_000, interval: 5 });
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
  const next = await startProcess({ CURTAIL_DATA_DIR: dataDir });
  expect(next.lines.at(-1)).toBe("curtail ready");
  expect(await next.end("SIGTERM")).toBe(0);
});
