import { readdirSync, readFileSync } from "node:fs";
import { operator } from "@curtail/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newParticipant, operate } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import { OPERATOR_TOKEN, postmasterPid, type ServiceProcess, startProcess } from "./support/service-process.js";
import { eventsIn, newVen, openadrUrlOf, type Ven } from "./support/ven.js";

const folder = await preparedFolder();
const { dataDir } = folder;
const settings = { CURTAIL_DATA_DIR: dataDir, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN };

let service: ServiceProcess;
let ven: Ven;
let before: string[][];

beforeAll(async () => {
  service = await startProcess(settings);
  const participant = await newParticipant(service.url, 1);
  const program = { name: "Peak", timezone: "UTC", market: "", program_type: "capacity" as const };
  const { id: program_id } = await operate(service.url, operator.createProgram, { body: program });
  const [start_time = "", end_time = ""] = [1, 2].map((hours) =>
    new Date(Date.now() + hours * 3_600_000).toISOString(),
  );
  const sites = [{ site_id: participant.sites[0]?.id ?? "" }];
  const dispatch = { program_id, start_time, sites };
  const { id } = await operate(service.url, operator.createDispatch, { body: dispatch });
  await operate(service.url, operator.changeDispatch, { params: { id }, body: { end_time } });
  ven = await newVen(service.url, openadrUrlOf(service), participant.accountId);
  before = eventsIn((await ven.poll()).text);
  expect(before).toEqual([[id, "1", "1"]]);
});

afterAll(async () => {
  await service.end("SIGTERM");
  await folder.remove();
});

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

test("a service that is killed and started again shows the same event with the same number", async () => {
  await service.end("SIGKILL");
  service = await startProcess(settings);
  ven = ven.at(openadrUrlOf(service));
  expect(eventsIn((await ven.poll()).text)).toEqual(before);
});

test("SIGTERM ends the service soon and cleanly, though VENs keep their connections", async () => {
  expect((await ven.poll()).status).toBe(200);
  const startedMs = performance.now();
  expect(await service.end("SIGTERM")).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(8000);
});
