import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { atEndOfUse } from "@curtail/testing/at-end";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "./support/service-process.js";

const hostile = fileURLToPath(new URL("../../benchmarks/dist/hostile.js", import.meta.url));
const SETTLED = { timeout: 60_000, interval: 250 };

const readOf = (pid: string, name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");

/** Processes whose command says `what`, and that know the folder from it or from their environment. */
const processesOf = async (folder: string, what = ""): Promise<string[]> => {
  const found: string[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const command = await readOf(pid, "cmdline");
    if (command.includes(what) && `${command}\0${await readOf(pid, "environ")}`.includes(folder)) found.push(pid);
  }
  return found;
};

test.each(["SIGINT", "SIGTERM"] as const)(
  "the hostile benchmark that is ended by %s leaves neither a service nor a database",
  async (signal) => {
    const folder = await temporaryFolder();
    atEndOfUse(() => folder.remove());
    const child = spawn(process.execPath, [hostile, "bodies"], {
      env: { PATH: process.env["PATH"], TMPDIR: folder.path, BENCH_HOSTILE_SECONDS: "3" },
      stdio: "ignore",
    });
    const exit = once(child, "exit");
    await vi.waitUntil(async () => (await processesOf(folder.path, "attacker.js")).length > 0, SETTLED);
    // What looks for them finds them, before nothing is to be found.
    const [running, folders] = [await processesOf(folder.path), await readdir(folder.path)];
    child.kill(signal);
    const [code] = await exit;
    expect(code).toBe(signal === "SIGINT" ? 130 : 143);
    expect(running.length).toBeGreaterThan(2);
    expect(folders.some((name) => name.startsWith("curtail-bench-service"))).toBe(true);
    expect(await processesOf(folder.path)).toEqual([]);
    expect((await readdir(folder.path)).filter((name) => name.startsWith("curtail-bench"))).toEqual([]);
  },
  180_000,
);
