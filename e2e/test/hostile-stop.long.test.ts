import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { atEndOfUse } from "@curtail/testing/at-end";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "./support/service-process.js";

const hostile = fileURLToPath(new URL("../../benchmarks/dist/hostile.js", import.meta.url));
const SETTLED = { timeout: 60_000, interval: 100 };

/** Processes that know the folder from their command or environment. */
const processesOf = async (folder: string): Promise<string[]> => {
  const found: string[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
    if (`${await read("cmdline")}\0${await read("environ")}`.includes(folder)) found.push(pid);
  }
  return found;
};

test.each(["SIGINT", "SIGTERM"] as const)(
  "the hostile benchmark that is ended by %s leaves neither a service nor a database",
  async (signal) => {
    const folder = await temporaryFolder();
    atEndOfUse(() => folder.remove());
    const child = spawn(process.execPath, [hostile, "bodies"], {
      env: { PATH: process.env["PATH"], TMPDIR: folder.path, BENCH_HOSTILE_SECONDS: "5" },
      stdio: "ignore",
    });
    const exit = once(child, "exit");
    const services = async () =>
      (await readdir(folder.path)).filter((name) => name.startsWith("curtail-bench-service"));
    await vi.waitUntil(async () => (await services()).length > 0, SETTLED);
    await vi.waitUntil(async () => (await processesOf(folder.path)).length > 2, SETTLED);
    child.kill(signal);
    const [code] = await exit;
    expect(code).toBe(signal === "SIGINT" ? 130 : 143);
    expect(await processesOf(folder.path)).toEqual([]);
    expect((await readdir(folder.path)).filter((name) => name.startsWith("curtail-bench"))).toEqual([]);
  },
  180_000,
);
