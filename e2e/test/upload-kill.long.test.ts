import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createParticipant, readTelemetry } from "@curtail/client";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, expect, test } from "vitest";
import { newParticipant, type Participant } from "./support/participant.js";
import { type PreparedService, preparedService } from "./support/prepared-service.js";
import { command, type TemporaryFolder, temporaryFolder } from "./support/service-process.js";

const KILLS = Number(process.env["UPLOAD_KILLS"] ?? 4);
const LONGEST_RUN_MS = 400;
const START = Date.parse("2026-03-01T00:00:00Z");
const MINUTE_MS = 60_000;

let state: TemporaryFolder;
let service: PreparedService;
let participant: Participant;

beforeAll(async () => {
  state = await temporaryFolder();
  atEnd(() => state.remove());
  service = await preparedService();
  participant = await newParticipant(service.url, 1);
});

const timeOf = (minute: number): string => new Date(START + minute * MINUTE_MS).toISOString().replace(".000Z", "Z");
const lineOf = (minute: number): string =>
  `${JSON.stringify({ meter_id: participant.sites[0]?.meterId, interval_seconds: 60, timestamp: timeOf(minute), kW: minute })}\n`;

const upload = (...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [command, "upload", ...args], {
    stdio: ["pipe", "ignore", "inherit"],
    env: {
      PATH: process.env["PATH"],
      XDG_STATE_HOME: state.path,
      CURTAIL_URL: service.url,
      CURTAIL_API_KEY: participant.key,
    },
  });

const exitCodeOf = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
};

/** Text of the spool's files whose name begins like this. */
const spoolText = (prefix: string): string => {
  const base = join(state.path, "curtail");
  const [folder = ""] = existsSync(base) ? readdirSync(base) : [];
  const spool = join(base, folder, "telemetry");
  const names = existsSync(spool) ? readdirSync(spool).filter((name) => name.startsWith(prefix)) : [];
  return names.map((name) => readFileSync(join(spool, name), "latin1")).join("");
};

/** Timestamps of all records that the spool holds, uploaded or not. */
const kept = (): readonly string[] => spoolText("segment-").match(/(?<="timestamp":")[^"]+/g) ?? [];
/** Changes with each upload. */
const uploaded = (): string => spoolText("progress.json");

const stored = async (minutes: number): Promise<ReadonlySet<string>> => {
  const sdk = createParticipant({ url: service.url, key: participant.key });
  const period = { siteIds: [participant.sites[0]?.id ?? ""], start: timeOf(-1), end: timeOf(minutes) };
  const found = new Set<string>();
  for await (const { readings } of readTelemetry(sdk, { ...period, intervalSeconds: 60 }))
    for (const { timestamp } of readings) found.add(timestamp);
  return found;
};

/** Writes lines from a minute on until the reader is gone; returns the next minute. */
const feed = async (child: ChildProcess, from: number): Promise<number> => {
  child.stdin?.on("error", () => {});
  let minute = from;
  while (child.exitCode === null && child.signalCode === null) {
    const lines = Array.from({ length: 20 }, (_, at) => lineOf(minute + at));
    minute += lines.length;
    child.stdin?.write(lines.join(""));
    await sleep(2);
  }
  return minute;
};

test("a kill loses nothing that was read while the service was away for hours", async () => {
  await service.end("SIGTERM");
  const first = upload("-");
  const lines = Array.from({ length: 3000 }, (_, minute) => lineOf(minute));
  first.stdin?.write(lines.join(""));
  await expect.poll(() => kept().length, { timeout: 20_000 }).toBe(3000);
  first.kill("SIGKILL");
  await exitCodeOf(first);
  await service.startAgain();
  const second = upload("-");
  second.stdin?.end(lineOf(3000));
  expect(await exitCodeOf(second)).toBe(0);
  expect((await stored(3001)).size).toBe(3001);
}, 90_000);

test(`${KILLS} kills in the middle of reading and uploading lose nothing that was on disk`, async () => {
  let minute = 10_000;
  const safe = new Set<string>();
  for (let round = 0; round < KILLS; round++) {
    const before = { kept: kept().length, uploaded: uploaded() };
    const child = upload("-");
    const feeding = feed(child, minute);
    // Every other time not before some of it is uploaded.
    const isTime = () => (round % 2 === 0 ? kept().length > before.kept : uploaded() !== before.uploaded);
    await expect.poll(isTime, { timeout: 20_000, interval: 5 }).toBe(true);
    await sleep(Math.random() * LONGEST_RUN_MS);
    child.kill("SIGKILL");
    await exitCodeOf(child);
    minute = await feeding;
    for (const each of kept()) safe.add(each);
  }
  const draining = upload("--drain");
  expect(await exitCodeOf(draining)).toBe(0);
  const found = await stored(minute);
  expect([...safe].filter((each) => !found.has(each))).toEqual([]);
  expect(safe.size).toBeGreaterThan(3001);
}, 120_000);
