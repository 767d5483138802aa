import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createParticipant, readTelemetry } from "@curtail/client";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { newParticipant, operate, type Participant } from "./support/participant.js";
import { type PreparedService, preparedService } from "./support/prepared-service.js";
import { refusingProxy } from "./support/refusing-proxy.js";
import { command, temporaryFolder } from "./support/service-process.js";

const KILLS = Number(process.env["WATCH_KILLS"] ?? 8);
const LONGEST_RUN_MS = 120;
const FILES = 3 * KILLS;
const READINGS = 1500;
const START = Date.parse("2026-03-01T00:00:00Z");
const MINUTE_MS = 60_000;
/** A zone in which it is around noon: the count of the day does not begin anew meanwhile. Its sign is that of POSIX. */
const HOURS = new Date().getUTCHours() - 12;
const NOON = `Etc/GMT${HOURS < 0 ? "" : "+"}${HOURS}`;
const PATIENCE = { timeout: 60_000, interval: 20 };

let service: PreparedService;
let participant: Participant;
let folder: string;

beforeAll(async () => {
  service = await preparedService();
});

beforeEach(async () => {
  participant = await newParticipant(service.url, 1);
  const temporary = await temporaryFolder();
  atEnd(() => temporary.remove());
  folder = temporary.path;
});

const timeOf = (minute: number): string => new Date(START + minute * MINUTE_MS).toISOString().replace(".000Z", "Z");

const linesOf = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => {
    const reading = { meter_id: participant.sites[0]?.meterId, interval_seconds: 60, timestamp: timeOf(from + at) };
    return `${JSON.stringify({ ...reading, kW: from + at })}\n`;
  }).join("");

const REFUSED = '{"meter_id":"mtr_unknown","interval_seconds":60,"timestamp":"2026-03-01T00:00:00Z","kW":1}\n';
const isRefusedInPart = (file: number): boolean => file % 5 === 1;
const isNoReadings = (file: number): boolean => file % 5 === 2;

const isDone = (file: number): boolean => !isNoReadings(file) && !isRefusedInPart(file);
const nameOf = (file: number): string => `night-${String(file).padStart(3, "0")}.ndjson`;

/** As SFTP servers do: whole under its name, or growing there. */
const arrive = (file: number): void => {
  const name = join(folder, nameOf(file));
  const lines = isNoReadings(file) ? "{this is no reading\n" : linesOf(file * READINGS, READINGS);
  writeFileSync(`${name}.part`, lines + (isRefusedInPart(file) ? REFUSED : ""));
  renameSync(`${name}.part`, name);
};

const start = (
  program: readonly string[] = [command, "upload", "--watch", folder, "--settled", "1"],
  url = service.url,
) => {
  const child = spawn(process.execPath, program, {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      TZ: NOON,
      HOME: folder,
      CURTAIL_URL: url,
      CURTAIL_API_KEY: participant.key,
    },
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].on("data", (chunk: Buffer) => {
      said[name] += chunk.toString();
    });
  atEnd(async () => void child.kill("SIGKILL"));
  return { child, said };
};

const ended = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  return child.exitCode;
};

const filesIn = (...path: readonly string[]): readonly string[] => {
  const place = join(folder, ...path);
  return existsSync(place) ? readdirSync(place).filter((name) => name.endsWith(".ndjson")) : [];
};

const moved = (): string => filesIn("done").join();

/** Changes with each step of the watch. */
const steps = (): string => {
  const own = join(folder, ".curtail");
  const files = existsSync(own) ? readdirSync(own).filter((name) => name.endsWith(".json")) : [];
  return files.map((name) => readFileSync(join(own, name), "utf8")).join("");
};

const stored = async (): Promise<ReadonlyMap<string, number>> => {
  const sdk = createParticipant({ url: service.url, key: participant.key });
  const period = { siteIds: [participant.sites[0]?.id ?? ""], start: timeOf(-1), end: timeOf(FILES * READINGS) };
  const found = new Map<string, number>();
  for await (const { readings } of readTelemetry(sdk, { ...period, intervalSeconds: 60 }))
    for (const { timestamp, value } of readings) found.set(timestamp, value);
  return found;
};

const expected = (): ReadonlyMap<string, number> =>
  new Map(
    Array.from({ length: FILES }, (_, file) => file)
      .filter((file) => !isNoReadings(file))
      .flatMap((file) => Array.from({ length: READINGS }, (_, at) => file * READINGS + at))
      .map((minute) => [timeOf(minute), minute]),
  );

/** Files arrive while the program is killed as soon as it has done something; then it runs to the end. */
const killedInBetween = async ({
  program,
  hasBegun = steps,
  longestRunMs = LONGEST_RUN_MS,
}: {
  readonly program?: readonly string[];
  readonly hasBegun?: () => string;
  readonly longestRunMs?: number;
} = {}): Promise<string> => {
  for (let round = 0; round < KILLS; round++) {
    for (let file = round * 3; file < round * 3 + 3; file++) arrive(file);
    const before = hasBegun();
    const { child } = start(program);
    await expect.poll(() => hasBegun() !== before || child.exitCode !== null, PATIENCE).toBe(true);
    await sleep(Math.random() * longestRunMs);
    child.kill("SIGKILL");
    await ended(child);
  }
  const { child, said } = start(program);
  await expect.poll(() => filesIn().length, PATIENCE).toBe(0);
  await sleep(500);
  child.kill("SIGTERM");
  expect([await ended(child), said.stderr]).toEqual([program === undefined ? 0 : null, expect.anything()]);
  return said.stderr;
};

test(`${KILLS} kills lose no file and no reading, and count none twice`, async () => {
  const last = await killedInBetween();
  const all = Array.from({ length: FILES }, (_, file) => file);
  expect(filesIn("done")).toEqual(all.filter(isDone).map(nameOf));
  expect(filesIn("refused")).toEqual(all.filter((file) => !isDone(file)).map(nameOf));
  for (const name of filesIn("refused"))
    expect(readFileSync(join(folder, "refused", `${name}.faults.txt`), "utf8")).toMatch(
      /mtr_unknown|line 1: not a JSON/,
    );
  expect(await stored()).toEqual(expected());
  const { length: done } = all.filter(isDone);
  const counts = `${done} files done, ${FILES - done} refused; ${expected().size.toLocaleString("en-US")} readings stored`;
  expect(last).toContain(counts);
}, 180_000);

test("the control, which moves a file before it is stored, loses readings", async () => {
  const careless = fileURLToPath(new URL("support/careless-watch.mjs", import.meta.url));
  await killedInBetween({ program: [careless, folder], hasBegun: moved, longestRunMs: 20 });
  const found = await stored();
  expect([...expected().keys()].filter((time) => !found.has(time)).length).toBeGreaterThan(0);
}, 180_000);

test("a growing file, one that is not whole by its name, and one without content stay where they are", async () => {
  const growing = join(folder, "growing.ndjson");
  for (const name of [".hidden.ndjson", "a.ndjson.part", "b.filepart", "c.TMP", "empty.ndjson"])
    writeFileSync(join(folder, name), name.startsWith("empty") ? "" : linesOf(0, 1));
  mkdirSync(join(folder, "below"));
  const { child } = start();
  for (let minute = 0; minute < 30; minute++) {
    writeFileSync(growing, linesOf(minute, 1), { flag: "a" });
    await sleep(100);
    expect(existsSync(growing)).toBe(true);
  }
  await expect.poll(() => filesIn("done"), PATIENCE).toEqual(["growing.ndjson"]);
  expect((await stored()).size).toBe(30);
  expect(readdirSync(folder).toSorted()).toEqual(
    [
      ".curtail",
      ".hidden.ndjson",
      "a.ndjson.part",
      "b.filepart",
      "below",
      "c.TMP",
      "done",
      "empty.ndjson",
      "refused",
    ].toSorted(),
  );
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});

test("a name that is there already gets a number, in both folders", async () => {
  const { child } = start();
  for (const [round, lines] of [linesOf(0, 2), linesOf(2, 2), REFUSED, REFUSED].entries()) {
    writeFileSync(join(folder, "usage.ndjson"), lines);
    await expect.poll(() => filesIn("done").length + filesIn("refused").length, PATIENCE).toBe(round + 1);
  }
  expect(filesIn("done").toSorted()).toEqual(["usage-2.ndjson", "usage.ndjson"]);
  expect(readdirSync(join(folder, "refused")).toSorted()).toEqual([
    "usage-2.ndjson",
    "usage-2.ndjson.faults.txt",
    "usage.ndjson",
    "usage.ndjson.faults.txt",
  ]);
  expect((await stored()).size).toBe(4);
  child.kill("SIGTERM");
  await ended(child);
});

test("a second watch of the folder ends with one line that names the first", async () => {
  const first = start();
  await expect.poll(() => first.said.stderr, PATIENCE).toContain("watching");
  const second = start();
  expect(await ended(second.child)).toBe(1);
  expect(second.said.stderr).toBe(
    `curtail: ${folder} is watched by process ${first.child.pid}; a folder has one watch at a time\n`,
  );
  first.child.kill("SIGTERM");
  expect(await ended(first.child)).toBe(0);
});

test("an outage is waited for, and a revoked key ends the watch and leaves the files", async () => {
  await service.end("SIGTERM");
  writeFileSync(join(folder, "a.ndjson"), linesOf(0, 10));
  const { child, said } = start();
  await expect.poll(() => said.stderr, PATIENCE).toMatch(/no service answers .* files wait in .*; trying again/);
  await service.startAgain();
  await expect.poll(() => filesIn("done"), PATIENCE).toEqual(["a.ndjson"]);
  const { items } = await operate(service.url, operator.listKeys, { params: { id: participant.accountId } });
  await operate(service.url, operator.revokeKey, { params: { id: items[0]?.id ?? "" } });
  writeFileSync(join(folder, "b.ndjson"), linesOf(10, 10));
  expect(await ended(child)).toBe(3);
  expect(said.stderr).toMatch(/files that are not uploaded stay in .*\ncurtail: .*revoked/);
  expect(filesIn()).toEqual(["b.ndjson"]);
});

test("a folder that cannot be written is said once, and its files go on when it can", async () => {
  const { child, said } = start();
  await expect.poll(() => said.stderr, PATIENCE).toContain("watching");
  const done = join(folder, "done");
  rmSync(done, { recursive: true });
  writeFileSync(done, "");
  writeFileSync(join(folder, "a.ndjson"), linesOf(0, 10));
  await expect.poll(() => said.stderr, PATIENCE).toMatch(/ENOTDIR.*files stay where they are/);
  await sleep(2000);
  expect(said.stderr.match(/ENOTDIR/g)).toHaveLength(1);
  expect(filesIn()).toEqual(["a.ndjson"]);
  rmSync(done);
  mkdirSync(done);
  await expect.poll(() => filesIn("done"), PATIENCE).toEqual(["a.ndjson"]);
  expect((await stored()).size).toBe(10);
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});

test("a file that something on the way refuses stops no other, nor does damaged state, and is tried again", async () => {
  let isRefusing = true;
  const proxy = await refusingProxy(service.url, (body) => isRefusing && body.includes('"kW":7}'));
  atEnd(async () => proxy.close());
  mkdirSync(join(folder, ".curtail"), { mode: 0o700 });
  writeFileSync(join(folder, ".curtail", "progress.json"), '{"replays":[{"line":');
  writeFileSync(join(folder, ".curtail", "watch.json"), '{"tally":"of another program"}');
  writeFileSync(join(folder, "a.ndjson"), linesOf(7, 1));
  writeFileSync(join(folder, "b.ndjson"), linesOf(0, 5));
  const { child, said } = start(undefined, proxy.url);
  await expect.poll(() => filesIn("done"), PATIENCE).toEqual(["b.ndjson"]);
  await expect.poll(() => said.stderr, PATIENCE).toMatch(/a.ndjson: .*413.*; it stays where it is, and is tried again/);
  expect(filesIn()).toEqual(["a.ndjson"]);
  isRefusing = false;
  await expect.poll(() => filesIn("done"), PATIENCE).toEqual(["a.ndjson", "b.ndjson"]);
  expect((await stored()).size).toBe(6);
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});

test("a delivery that stalls, and goes on after its file was moved, is uploaded whole", async () => {
  const { child, said } = start();
  const growing = openSync(join(folder, "a.ndjson"), "w");
  writeSync(growing, linesOf(0, 3));
  await expect.poll(() => filesIn("done"), PATIENCE).toEqual(["a.ndjson"]);
  writeSync(growing, linesOf(3, 4));
  closeSync(growing);
  await expect.poll(async () => (await stored()).size, PATIENCE).toBe(7);
  await expect.poll(() => said.stdout, PATIENCE).toContain("done/a.ndjson done again: 7 readings stored");
  expect(filesIn("done")).toEqual(["a.ndjson"]);
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});

test("a file that cannot be moved is uploaded and counted once, and stops no other", async () => {
  const { child, said } = start();
  await expect.poll(() => said.stderr, PATIENCE).toContain("watching");
  rmSync(join(folder, "refused"), { recursive: true });
  writeFileSync(join(folder, "refused"), "");
  writeFileSync(join(folder, "a.ndjson"), linesOf(0, 2) + REFUSED);
  await expect.poll(() => said.stderr, PATIENCE).toMatch(/a.ndjson is dealt with and cannot be moved: ENOTDIR/);
  writeFileSync(join(folder, "b.ndjson"), linesOf(2, 2));
  await expect.poll(() => filesIn("done"), PATIENCE).toEqual(["b.ndjson"]);
  rmSync(join(folder, "refused"));
  mkdirSync(join(folder, "refused"));
  await expect.poll(() => filesIn("refused"), PATIENCE).toEqual(["a.ndjson"]);
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
  expect(said.stderr).toContain("1 file done, 1 refused; 4 readings stored, 1 refused");
  expect(readdirSync(join(folder, "refused"))).toEqual(["a.ndjson", "a.ndjson.faults.txt"]);
});
