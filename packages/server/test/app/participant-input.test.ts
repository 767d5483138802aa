import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { operator, readTelemetry } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Participant, type Running, running } from "../support/running.js";
import { type FaultyFront, faultyFront } from "./faulty-front.js";
import { type ParticipantRunOptions, participantUser } from "./participant-run.js";

let service: Running;
let anna: Participant;
let front: FaultyFront;
let user: ReturnType<typeof participantUser>;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
  front = await faultyFront(service.url);
  user = participantUser();
});

const environment = () => ({ CURTAIL_URL: front.url, CURTAIL_API_KEY: anna.key });
const upload = (args: readonly string[], options: ParticipantRunOptions = {}) =>
  user.run(["upload", ...args], { environment: environment(), speed: 50, ...options });

const START = Date.parse("2026-06-01T00:00:00Z");
const timeOf = (minute: number): string => new Date(START + minute * 60_000).toISOString().replace(".000Z", "Z");
const readingAt = (minute: number, change: object = {}) => ({
  meter_id: anna.sites[0]?.meters[0],
  interval_seconds: 60,
  timestamp: timeOf(minute),
  kW: minute,
  ...change,
});
const linesOf = (...readings: readonly object[]): string =>
  readings.map((each) => `${JSON.stringify(each)}\n`).join("");
const csv = "timestamp,main (kW)\n2026-06-01T00:01:00Z,1\n2026-06-01T00:02:00Z,2\n";

/** Values of the first hour, by minute. */
const stored = async (): Promise<readonly number[]> => {
  const query = {
    site_id: [anna.sites[0]?.id ?? ""],
    start_time: timeOf(0),
    end_time: timeOf(60),
    interval_seconds: 60 as const,
  };
  const { body } = await anna.call(readTelemetry, { query });
  return body.data.sites[0]?.meters[0]?.telemetry.map(({ value }) => value) ?? [];
};

const state = (): string => join(user.home, "state", "curtail");
const spoolIn = (): string => join(state(), readdirSync(state())[0] ?? "");
/** All that is in the segments of the spool. */
const kept = (kind = "telemetry"): string => {
  if (!existsSync(state()) || !existsSync(join(spoolIn(), kind))) return "";
  const names = readdirSync(join(spoolIn(), kind)).filter((name) => name.startsWith("segment-"));
  return names.map((name) => readFileSync(join(spoolIn(), kind, name), "utf8")).join("");
};

describe("readings from standard input", () => {
  test("are uploaded while they are read, and the command ends when all are stored", async () => {
    const stdin = new PassThrough();
    const ran = upload(["-", "--json"], { stdin });
    stdin.write(linesOf(readingAt(1), readingAt(2)));
    await expect.poll(stored, { timeout: 5000 }).toEqual([1, 2]);
    // A line that comes in two pieces.
    const line = linesOf(readingAt(3));
    stdin.write(line.slice(0, 20));
    stdin.write(`${line.slice(20)}\n  \n${linesOf(readingAt(4)).trim()}`);
    stdin.end();
    expect(await ran).toMatchObject({ exitCode: 0, stderr: "", json: { stored: 4, set_aside: [] } });
    expect(await stored()).toEqual([1, 2, 3, 4]);
    expect(statSync(spoolIn()).mode & 0o777).toBe(0o700);
  });

  test("are on disk while the service is away, and uploaded in their order when it is back", async () => {
    front.isDown = true;
    const stdin = new PassThrough();
    let isWaiting = false;
    const ran = upload(["-"], {
      stdin,
      onNote(text) {
        isWaiting ||= text.endsWith("trying again\n");
      },
    });
    stdin.write(linesOf(...[3, 2, 1].map((minute) => readingAt(minute)), readingAt(2, { kW: 20 })));
    await expect.poll(() => kept().match(/meter_id/g)?.length, { timeout: 5000 }).toBe(4);
    await expect.poll(() => isWaiting, { timeout: 5000 }).toBe(true);
    front.isDown = false;
    stdin.end();
    const { exitCode, stdout, stderr } = await ran;
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "4 readings stored, 0 set aside.\n" });
    expect(stderr.match(/^curtail: .*$/gm)).toEqual([
      expect.stringMatching(/no service answers at .*; 4 readings kept in .*; trying again$/),
      "curtail: the service answers again",
    ]);
    expect(await stored()).toEqual([1, 20, 3]);
  });

  test("stay when the command is interrupted, and the next one uploads them first", async () => {
    front.isDown = true;
    const first = await upload(["-"], {
      stdin: linesOf(readingAt(1), readingAt(2)),
      onNote: (text, interrupt) => (text.includes("trying again") ? interrupt() : undefined),
    });
    expect(first).toMatchObject({ exitCode: 130, stdout: "0 readings stored, 0 set aside.\n" });
    const folder = spoolIn();
    expect(first.stderr).toContain(
      `curtail: stopped\ncurtail: 2 readings kept in ${folder}; \`curtail upload --drain --spool ${folder}\` uploads them\n`,
    );
    front.isDown = false;
    const second = await upload(["-"], { stdin: linesOf(readingAt(2, { kW: 5 })) });
    expect(second).toMatchObject({ exitCode: 0, stderr: "2 readings of an earlier run come first\n" });
    expect(await stored()).toEqual([1, 5]);
    expect(await upload(["--drain", "--json"])).toMatchObject({ exitCode: 0, json: { stored: 0 } });
  });

  test("stay when the key is revoked, and go with the key that replaces it", async () => {
    await user.run(["login", "--url", front.url], { secret: anna.key });
    await service.operator(operator.revokeKey, { params: { id: anna.keyId } });
    const stdin = new PassThrough();
    const refused = user.run(["upload", "-"], { stdin });
    stdin.write(linesOf(readingAt(1)));
    const { exitCode, stderr } = await refused;
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/this API key was revoked.*\ncurtail: 1 reading kept in /);
    const next = await service.participantOf(anna.accountId);
    await user.run(["login", "--url", front.url], { secret: next.key });
    expect(await user.run(["upload", "--drain"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^1 reading stored/),
    });
    anna = { ...anna, call: next.call };
    expect(await stored()).toEqual([1]);
  });

  test("a second command at the same time is told who uses the folder, and may have its own", async () => {
    const stdin = new PassThrough();
    const first = upload(["-"], { stdin });
    stdin.write(linesOf(readingAt(1)));
    await expect.poll(kept, { timeout: 5000 }).toContain("meter_id");
    const second = await upload(["-"], { stdin: linesOf(readingAt(2)) });
    expect(second).toMatchObject({ exitCode: 1, stdout: "" });
    expect(second.stderr).toContain(`is in use by process ${process.pid}`);
    expect(second.stderr).toContain("--spool FOLDER");
    const own = await upload(["-", "--spool", join(user.home, "own")], { stdin: linesOf(readingAt(2)) });
    expect(own.exitCode).toBe(0);
    stdin.end();
    expect(await first).toMatchObject({ exitCode: 0 });
    expect(await stored()).toEqual([1, 2]);
  });
});

describe("what is refused of standard input", () => {
  test("is set aside with the reason: readings, and lines that are none", async () => {
    const aside = join(user.home, "aside.ndjson");
    const long = `{"note":"${"x".repeat(1_100_000)}"}`;
    const wrong = readingAt(2, { interval_seconds: 45 });
    const stdin = `${linesOf(readingAt(1), wrong)}nonsense\n${long}\n${linesOf(readingAt(3))}`;
    const { exitCode, stdout, stderr } = await upload(["-", "--set-aside", aside], { stdin });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "2 readings stored, 3 set aside.\n" });
    expect(stderr).toContain("reading 2: interval_seconds is 45; it must be divisible by 30\n");
    expect(stderr).toContain("reading 3: the record is not the JSON of an object\n");
    expect(stderr).toContain(`they are kept in ${spoolIn()}`);
    const lines = readFileSync(aside, "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      expect.arrayContaining([
        { ...wrong, reason: expect.stringContaining("interval_seconds") },
        { record: "nonsense", reason: expect.any(String) },
      ]),
    );
    expect(await stored()).toEqual([1, 3]);
  });

  test("of an earlier run has no number, and is shown itself", async () => {
    front.isDown = true;
    await upload(["-"], {
      stdin: linesOf(readingAt(1, { interval_seconds: 45 })),
      onNote: (text, interrupt) => (text.includes("trying again") ? interrupt() : undefined),
    });
    front.isDown = false;
    const { json, stderr } = await upload(["-", "--json"], { stdin: linesOf(readingAt(2, { interval_seconds: 75 })) });
    expect(json).toMatchObject({
      stored: 0,
      set_aside_count: 2,
      set_aside: [
        { index: null, reading: { interval_seconds: 45 } },
        { index: 0, reading: { interval_seconds: 75 } },
      ],
    });
    expect(stderr).toMatch(/^\{"meter_id":"mtr_.*: interval_seconds is 45/m);
  });

  test("is counted beyond what the answer lists", async () => {
    const lines = `${linesOf(readingAt(1))}${"no reading\n".repeat(1200)}`;
    const { json } = await upload(["-", "--json"], { stdin: lines });
    expect(json).toMatchObject({ stored: 1, set_aside_count: 1200 });
    expect(json.set_aside).toHaveLength(1000);
  });
});

describe("meter data from standard input", () => {
  test("that is interrupted before its end is not kept, and that is said", async () => {
    const stdin = new PassThrough();
    stdin.write(csv);
    const ran = await upload(["-"], {
      stdin,
      onStart: async (interrupt) => {
        await expect.poll(() => stdin.readableLength).toBe(0);
        interrupt();
      },
    });
    expect(ran.exitCode).toBe(130);
    expect(ran.stderr).toContain("curtail: the input was not read to its end, and nothing of it is kept\n");
    expect(ran.stderr).toContain("curtail: nothing is left to upload\n");
  });

  test("is kept as it came until the service names the meters, over an interruption", async () => {
    front.isDown = true;
    const first = await upload(["-"], {
      stdin: csv,
      onNote: (text, interrupt) => (text.includes("the input is kept") ? interrupt() : undefined),
    });
    expect(first.exitCode).toBe(130);
    expect(first.stderr).toMatch(/curtail: the input is kept in .*; `curtail upload --drain --spool .*` uploads it\n$/);
    front.isDown = false;
    expect(await upload(["--drain", "--json"])).toMatchObject({ exitCode: 0, json: { stored: 2 } });
    expect(await stored()).toEqual([1, 2]);
    expect(readdirSync(join(spoolIn(), "inputs"))).toEqual([]);
  });

  test("with a fault is moved aside, and the rest is uploaded", async () => {
    const faulty = await upload(["-"], { stdin: csv.replace(",2\n", ",two\n") });
    expect(faulty.exitCode).toBe(1);
    expect(faulty.stderr).toMatch(/^curtail: line 3: /m);
    const [, file = ""] = /the input is kept in (\S+)/.exec(faulty.stderr) ?? [];
    expect(readFileSync(file, "utf8")).toContain(",two");
    expect(await upload(["-"], { stdin: csv })).toMatchObject({ exitCode: 0 });
  });

  test("of a site of several meters is uploaded as the options say, also by a later run", async () => {
    anna = await service.newParticipant({ sites: [["main", "roof"]] });
    front.isDown = true;
    await upload(["-", "--meter", anna.sites[0]?.meters[0] ?? "", "--timezone", "+02:00"], {
      stdin: csv.replaceAll("Z", "").replaceAll("T00:", "T02:").replace("main", "cellar"),
      onNote: (text, interrupt) => (text.includes("the input is kept") ? interrupt() : undefined),
    });
    front.isDown = false;
    expect(await upload(["--drain"])).toMatchObject({ exitCode: 0 });
    expect(await stored()).toEqual([1, 2]);
  });
});

test("controllable load has a spool of its own", async () => {
  const load = { site_id: anna.sites[0]?.id, interval_seconds: 300, timestamp: timeOf(5), units: "kW", value: 7 };
  front.isDown = true;
  await upload(["-", "--controllable-load"], {
    stdin: linesOf(load),
    onNote: (text, interrupt) => (text.includes("trying again") ? interrupt() : undefined),
  });
  expect(kept("controllable-load")).toContain("site_id");
  front.isDown = false;
  expect(await upload(["-"], { stdin: linesOf(readingAt(1)) })).toMatchObject({
    stdout: expect.stringMatching(/^1 reading stored/),
  });
  expect(await upload(["--drain", "--json"])).toMatchObject({ exitCode: 0, json: { stored: 1, set_aside: [] } });
  const { rows } = await service.database.pool.query("select kw from controllable_load");
  expect(rows).toEqual([{ kw: 7 }]);
});

test.for([
  [["upload"], "name a file"],
  [["upload", "-", "--drain"], "--drain reads nothing"],
  [["upload", "-", "--restart"], "are for files"],
  [["upload", "file", "--spool", "x"], "--spool is for standard input"],
] as const)("%j is wrong usage", async ([args, message]) => {
  const { exitCode, stderr } = await user.run(args, { environment: environment() });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});
