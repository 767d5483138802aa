import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { operator } from "@curtail/contract";
import { environmentHeld } from "@curtail/testing/child-replies";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, operatorApi } from "../src/api.js";
import type { Memory } from "../src/memory.js";

const command = fileURLToPath(new URL("../dist/demo.js", import.meta.url));
const START_MS = 120_000;
/** A reading is sent every 30 seconds, and measured a moment later. */
const SHED_MS = 100_000;

interface Playing {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  readonly call: Api;
  readonly memory: () => Promise<Memory>;
  readonly url: string;
}

let folder: string;
let playing: Playing | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "curtail-demo-"));
});

afterAll(async () => {
  await ended(playing, "SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

const play = async (): Promise<Playing> => {
  const small = ["--sites", "6", "--history-days", "11", "--showcase-days", "12", "--react-quickly"];
  const args = [command, ...small, "--port", "0", "--data-dir", join(folder, "data")];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: environmentHeld,
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line === "demo ready") break;
  }
  child.stdout.resume();
  const url = /production REST.*?(http:\S+)/.exec(lines.join("\n"))?.[1] ?? "";
  const memory = async () => JSON.parse(await readFile(join(folder, "data", "demo.json"), "utf8")) as Memory;
  playing = { child, lines, url, memory, call: operatorApi(url, (await memory()).operatorToken) };
  return playing;
};

const ended = async (of: Playing | undefined, signal: NodeJS.Signals): Promise<number | null> => {
  if (of === undefined || of.child.exitCode !== null || of.child.signalCode !== null) return of?.child.exitCode ?? null;
  of.child.kill(signal);
  await once(of.child, "exit");
  return of.child.exitCode;
};

const newestReading = async ({ call }: Playing, accountId: string): Promise<number> => {
  const { items } = await call(operator.listAccountSites, { params: { id: accountId } });
  return Date.parse(items[0]?.meters[0]?.last_reading?.timestamp ?? "");
};

test(
  "a small fleet is set up with history and people, curtails when it is called, stops cleanly and goes on",
  async () => {
    const first = await play();
    const { made } = await first.memory();
    if (made === null) throw new Error(`nothing was set up: ${first.lines.join("\n")}`);
    expect(made.sites).toHaveLength(6);
    expect(made.accounts).toHaveLength(6);
    const accountId = made.accounts[0]?.id ?? "";
    await expect.poll(() => newestReading(first, accountId)).toBeGreaterThan(Date.now() - 60_000);

    for (const { email, password } of made.people) {
      const body = JSON.stringify({ email, password });
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${first.url}/auth/sign-in`, { method: "POST", headers, body });
      expect(await answer.json()).toMatchObject({ state: "signed_in", user: { email } });
    }

    const start = { program_id: made.programs.reserve, start_time: new Date().toISOString() };
    const { id, sites } = await first.call(operator.createDispatch, { body: start });
    // One is notified by webhook and discharges its battery, one finds the dispatch by polling.
    const called = ["Battery Pecos", "Warehouse Dallas"];
    expect(sites.map(({ name }) => name)).toEqual(expect.arrayContaining(called));
    const shedding = async () => {
      const performance = await first.call(operator.getAnyDispatchPerformance, { params: { id } });
      return performance.sites.filter(({ latest }) => (latest?.reduction_kw ?? 0) > 20).map(({ name }) => name);
    };
    const polled = expect.poll(shedding, { timeout: SHED_MS, interval: 500 });
    await polled.toEqual(expect.arrayContaining(called));

    expect(run("--fresh", "--data-dir", join(folder, "data")).stderr).toMatch(/process \d+ is running in .*; stop it/);
    expect(await ended(first, "SIGTERM")).toBe(0);
    const second = await play();
    expect((await second.memory()).made).toEqual(made);
    expect(second.lines.join("\n")).not.toContain("set up:");
    await expect.poll(() => newestReading(second, accountId)).toBeGreaterThan(Date.now() - 60_000);
    expect(await ended(second, "SIGINT")).toBe(0);
  },
  START_MS + SHED_MS,
);

const run = (...args: string[]) => spawnSync(process.execPath, [command, ...args], { encoding: "utf8" });
