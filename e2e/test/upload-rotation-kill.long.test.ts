import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createParticipant, readTelemetry } from "@curtail/client";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import { beforeAll, expect, test } from "vitest";
import { newKey, newParticipant, operate, type Participant } from "./support/participant.js";
import { type PreparedService, preparedService } from "./support/prepared-service.js";
import { command, temporaryFolder } from "./support/service-process.js";

const KILLS = Number(process.env["UPLOAD_KILLS"] ?? 4);
const LONGEST_RUN_MS = 400;
const START = Date.parse("2026-03-01T00:00:00Z");
const MINUTE_MS = 60_000;
const BATCH = 500;

let service: PreparedService;
let participant: Participant;
/** What the machine reaches while the service is away for it alone. */
let nowhere: string;

beforeAll(async () => {
  service = await preparedService();
  participant = await newParticipant(service.url, 1);
  nowhere = `http://127.0.0.1:${await freePort()}`;
});

const timeOf = (minute: number): string => new Date(START + minute * MINUTE_MS).toISOString().replace(".000Z", "Z");
const linesOf = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => {
    const reading = { meter_id: participant.sites[0]?.meterId, interval_seconds: 60, timestamp: timeOf(from + at) };
    return `${JSON.stringify({ ...reading, kW: from + at })}\n`;
  }).join("");

interface Machine {
  readonly state: string;
  readonly key: string;
  /** A proxy where nothing listens takes the network away; the address stays the same. */
  readonly isCutOff: boolean;
}

const upload = ({ state, key, isCutOff }: Machine, ...args: readonly string[]): ChildProcess => {
  const child = spawn(process.execPath, [command, "upload", ...args], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {
      PATH: process.env["PATH"],
      XDG_STATE_HOME: state,
      XDG_CONFIG_HOME: state,
      CURTAIL_URL: service.url,
      CURTAIL_API_KEY: key,
      ...(isCutOff ? { HTTP_PROXY: nowhere } : {}),
    },
  });
  child.stdin?.on("error", () => {});
  atEnd(async () => void child.kill("SIGKILL"));
  return child;
};

const ended = async (child: ChildProcess): Promise<number | null> => {
  child.stdout?.resume();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
};

/** Readings that are in the spools of a machine, whatever their folders are called. */
const kept = (state: string): ReadonlySet<string> => {
  const base = join(state, "curtail");
  const spools = (existsSync(base) ? readdirSync(base) : []).map((name) => join(base, name, "telemetry"));
  const files = spools.filter(existsSync).flatMap((spool) =>
    readdirSync(spool)
      .filter((name) => name.startsWith("segment-"))
      .map((name) => readFileSync(join(spool, name), "latin1")),
  );
  return new Set(files.flatMap((text) => text.match(/(?<="timestamp":")[^"]+/g) ?? []));
};

const stored = async (key: string): Promise<ReadonlySet<string>> => {
  const sdk = createParticipant({ url: service.url, key });
  const siteIds = [participant.sites[0]?.id ?? ""];
  const found = new Set<string>();
  const period = { siteIds, start: timeOf(-1), end: timeOf((KILLS + 2) * BATCH), intervalSeconds: 60 } as const;
  for await (const { readings } of readTelemetry(sdk, period))
    for (const { timestamp } of readings) found.add(timestamp);
  return found;
};

/** Reads while the network is away, and is killed once some of it is on disk. */
const killedReading = async (machine: Machine, round: number): Promise<void> => {
  const before = kept(machine.state).size;
  const child = upload({ ...machine, isCutOff: true }, "-");
  child.stdin?.write(linesOf(round * BATCH, (round + 1) * BATCH));
  await expect.poll(() => kept(machine.state).size, { timeout: 20_000, interval: 5 }).toBeGreaterThan(before);
  await sleep(Math.random() * LONGEST_RUN_MS);
  child.kill("SIGKILL");
  await ended(child);
};

const killedUpload = async (machine: Machine): Promise<void> => {
  const child = upload(machine, "--drain");
  await sleep(300 + Math.random() * LONGEST_RUN_MS);
  child.kill("SIGKILL");
  await ended(child);
};

const keyIdsOf = async (): Promise<readonly string[]> => {
  const { items } = await operate(service.url, operator.listKeys, { params: { id: participant.accountId } });
  return items.map(({ id }) => id);
};

test(`a key that is rotated in the middle of an outage and of ${2 * KILLS} kills loses nothing; a folder by key does`, async () => {
  const folder = await temporaryFolder();
  atEnd(() => folder.remove());
  let machine: Machine = { state: folder.path, key: participant.key, isCutOff: false };
  const half = Math.ceil(KILLS / 2);
  for (let round = 0; round < half; round++) await killedReading(machine, round);

  const [earlier = ""] = await keyIdsOf();
  const key = await newKey(service.url, participant.accountId);
  await operate(service.url, operator.revokeKey, { params: { id: earlier } });
  machine = { ...machine, key };
  for (let round = half; round < KILLS; round++) await killedReading(machine, round);
  const promised = kept(folder.path);
  expect(promised.size).toBeGreaterThan(KILLS);

  // The control: only the folder that the new key alone would name.
  const ofKey = createHash("sha256").update(`${service.url} ${key}`).digest("hex").slice(0, 16);
  expect(await ended(upload(machine, "--drain", "--spool", join(folder.path, "curtail", `upload-${ofKey}`)))).toBe(0);
  const control = await stored(key);
  expect([...promised].filter((each) => !control.has(each)).length).toBeGreaterThan(0);

  for (let round = 0; round < KILLS; round++) await killedUpload(machine);
  expect(await ended(upload(machine, "--drain"))).toBe(0);
  const found = await stored(key);
  expect([...promised].filter((each) => !found.has(each))).toEqual([]);
}, 120_000);
