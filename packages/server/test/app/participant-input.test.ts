import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  actAs,
  anna,
  csv,
  environment,
  front,
  interrupted,
  kept,
  keptIn,
  linesOf,
  oldName,
  prepare,
  prepareEach,
  readingAt,
  rotated,
  service,
  spoolIn,
  stored,
  upload,
  user,
} from "../support/participant-input.js";

beforeAll(prepare);

beforeEach(prepareEach);

describe("readings from standard input", () => {
  test("are uploaded while they are read, and the command ends when all are stored", async () => {
    const stdin = new PassThrough();
    const ran = upload(["-", "--json"], { stdin });
    stdin.write(linesOf(readingAt(1), readingAt(2)));
    await expect.poll(stored).toEqual([1, 2]);
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
    await expect.poll(() => kept().match(/meter_id/g)?.length).toBe(4);
    await expect.poll(() => isWaiting).toBe(true);
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
    actAs({ ...anna, call: next.call });
    expect(await stored()).toEqual([1]);
  });
});

describe("readings of an earlier key", () => {
  test("are uploaded with the key that replaces it, without reading anything", async () => {
    front.isDown = true;
    await interrupted([readingAt(1), readingAt(2)]);
    front.isDown = false;
    await rotated();
    const { exitCode, stdout, stderr } = await upload(["--drain"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "2 readings stored, 0 set aside.\n" });
    expect(stderr).toBe("2 readings of an earlier key come first\n");
    expect(await stored()).toEqual([1, 2]);
    expect(await upload(["--drain", "--json"])).toMatchObject({ exitCode: 0, json: { stored: 0 } });
  });

  test("of another account stay where they are", async () => {
    front.isDown = true;
    await interrupted([readingAt(1)]);
    await keptIn(oldName("another key"), readingAt(2));
    front.isDown = false;
    const of = { environment: { ...environment(), CURTAIL_API_KEY: (await service.newParticipant()).key } };
    expect(await upload(["--drain", "--json"], of)).toMatchObject({ exitCode: 0, stderr: "", json: { stored: 0 } });
    expect(front.uploads).toEqual([]);
    expect(await upload(["--drain", "--json"])).toMatchObject({ exitCode: 0, json: { stored: 2 } });
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
});

describe("meter data from standard input", () => {
  test("with a fault is moved aside, and the rest is uploaded", async () => {
    const faulty = await upload(["-"], { stdin: csv.replace(",2\n", ",two\n") });
    expect(faulty.exitCode).toBe(1);
    expect(faulty.stderr).toMatch(/^curtail: line 3: /m);
    const [, file = ""] = /the input is kept in (\S+)/.exec(faulty.stderr) ?? [];
    expect(readFileSync(file, "utf8")).toContain(",two");
    expect(await upload(["-"], { stdin: csv })).toMatchObject({ exitCode: 0 });
  });
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
