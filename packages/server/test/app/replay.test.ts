import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  anna,
  at,
  clear,
  csv,
  folder,
  front,
  minutes,
  openKeys,
  prepare,
  prepareEach,
  replay,
  stopInTheMiddle,
  stored,
  throughFront,
} from "../support/replays.js";

afterAll(clear);

beforeAll(prepare);

beforeEach(prepareEach);

describe("a replay", () => {
  test("stores every reading, says how fast, and leaves neither key nor state behind", async () => {
    const file = csv(...minutes(5));
    const { exitCode, stdout, stderr } = await replay(file);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^5 readings in [\d.]+ s: [\d,]+ readings per second\n$/);
    expect(await stored()).toHaveLength(10);
    expect(await openKeys()).toEqual([]);
    expect(existsSync(`${file}.replay.json`)).toBe(false);
  });

  test("uses a key of the participant where one is given", async () => {
    const file = join(folder, "key");
    writeFileSync(file, anna.key);
    expect((await replay(csv(...minutes(2)), "--key-file", file)).exitCode).toBe(0);
    const other = await replay(csv(...minutes(2)), "--key", "not-a-key");
    expect(other).toMatchObject({ exitCode: 1, stdout: "" });
    expect(other.stderr).toMatch(/lines 2 to 3, were refused: Permission denied/);
    expect(other.stderr).not.toContain("not-a-key");
  });
});

describe("the meters of the file", () => {
  test("that the account lacks are named in one error", async () => {
    const { exitCode, stderr } = await replay(
      csv(`roof,generator,${at(60)},60,-1`, ...minutes(1), `pump,load,${at(60)},60,2`),
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`account ${anna.accountId} has no meter "roof", "pump"; add`);
    expect(await openKeys()).toEqual([]);
  });
});

describe("what happens on the way", () => {
  test("a 429 is waited out as Retry-After says", async () => {
    front.faults.push({ status: 429, headers: { "retry-after": "7" } });
    const { exitCode, waitedSeconds } = await throughFront(csv(...minutes(2)));
    expect({ exitCode, waitedSeconds }).toEqual({ exitCode: 0, waitedSeconds: [7] });
  });

  test("a refusal stops it with the service's message and the lines", async () => {
    const tooMuch = `main,load,${at(240)},60,10000001`;
    const { exitCode, stderr } = await replay(csv(...minutes(3), tooMuch), "--batch", "2");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/lines 4 to 5, were refused: telemetry\[1\] \(line 5\)\.kW is 10000001 kW; its magnitude/);
    expect(await openKeys()).toEqual([]);
  });
});

describe("a replay that was stopped", () => {
  test("revokes its key and continues where it was on the next run", async () => {
    const file = csv(...minutes(10));
    const stopped = await stopInTheMiddle(file);
    expect(stopped.exitCode).toBe(130);
    expect(stopped.stderr).toMatch(/stopped after 4 of 10 readings; run it again/);
    expect(await openKeys()).toEqual([]);
    expect(JSON.parse(readFileSync(`${file}.replay.json`, "utf8")).replays).toMatchObject([{ line: 5 }]);

    const resumed = await throughFront(file, "--json");
    expect(resumed.json).toMatchObject({ readings: 6 });
    expect(resumed.stderr).toContain(`resuming after line 5`);
    expect(await stored()).toHaveLength(20);
    expect(existsSync(`${file}.replay.json`)).toBe(false);
  });
});
