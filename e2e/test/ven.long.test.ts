import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { postmasterPid } from "./support/service-process.js";
import { eventsIn } from "./support/ven.js";
import { venService } from "./support/ven-service.js";

const service = await venService();
const { ven, dataDir, before } = service;

/** PostgreSQL's processes: the server and those that it started. */
const databasePids = (): number[] => {
  const server = postmasterPid(dataDir);
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === server);
  return [server, ...children.map(Number)];
};

const parentOf = (pid: string): number | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null; // it ended meanwhile
  }
};

const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) process.kill(pid, signal);
};

test("rule 16: while the database is frozen VENs are answered 503 within 10 s, then the same event", async () => {
  const pids = databasePids();
  signalAll(pids, "SIGSTOP");
  try {
    const replies = await Promise.all(Array.from({ length: 20 }, () => ven.poll()));
    for (const { status, text, seconds } of replies) {
      expect({ status, text }).toEqual({ status: 503, text: "" });
      expect(seconds).toBeLessThan(10);
    }
  } finally {
    signalAll(pids, "SIGCONT");
  }
  await expect.poll(async () => (await ven.poll()).status, { timeout: 20_000 }).toBe(200);
  expect(eventsIn((await ven.poll()).text)).toEqual(before);
});

test("rule 16: a database that is killed is a 503, never an empty list; it comes back with the same event", async () => {
  process.kill(postmasterPid(dataDir), "SIGKILL");
  const seen = new Set<number>();
  await expect
    .poll(
      async () => {
        const { status, text } = await ven.poll();
        seen.add(status);
        if (status === 200) expect(eventsIn(text)).toEqual(before);
        return status === 200 && seen.has(503);
      },
      { timeout: 25_000, interval: 20 },
    )
    .toBe(true);
  expect([...seen].toSorted((a, b) => a - b)).toEqual([200, 503]);
});

test("a VEN is shown the same event after a kill of the service", async () => {
  await service.end("SIGKILL");
  const again = await service.startAgain();
  const { status, text } = await again.poll();
  expect([status, eventsIn(text)]).toEqual([200, before]);
});
