import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operator } from "@curtail/contract";
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
  service,
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

  test.each([1, 3])("lets the later line win, %i requests at a time", async (concurrency) => {
    const corrected = minutes(20).map((line) => line.replace(/[^,]+$/, "99"));
    const file = csv(...minutes(20), ...corrected);
    await replay(file, "--batch", "3", "--concurrency", String(concurrency));
    expect((await stored()).every(([, value]) => value === 99)).toBe(true);
  });

  test("moves its timestamps so that the last one is now, on the grid", async () => {
    await throughFront(csv(...minutes(3)), "--shift", "now");
    const last = Date.parse(front.uploads[0]?.at(-1)?.timestamp ?? "");
    const behindMs = service.clock.now().getTime() - last;
    expect({ onGrid: last % 30_000, recent: behindMs >= 0 && behindMs < 30_000 }).toEqual({ onGrid: 0, recent: true });
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

describe("the lines of the file", () => {
  test.each([
    { line: `main,load,${at(120)},45,1`, says: 'line 3: interval_seconds is "45"; it must be divisible by 30' },
    { line: `main,load,${at(120)},0,1`, says: "line 3: interval_seconds" },
    { line: "main,load,2022-07-01 05:02,60,1", says: "line 3: interval_end_utc" },
    { line: `main,load,${at(120)},60,much`, says: "line 3: kw" },
    { line: `main,load,${at(120)},60,`, says: "line 3: kw" },
    { line: `main,boiler,${at(120)},60,1`, says: "line 3: asset_type" },
    { line: `,load,${at(120)},60,1`, says: "line 3: meter" },
    { line: `main,load,${at(120)}`, says: "line 3: not valid CSV" },
  ])("that are wrong stop it before anything is sent: $says", async ({ line, says }) => {
    const file = csv(`main,load,${at(60)},60,1`, line, `main,load,${at(180)},60,1`);
    const { exitCode, stderr } = await throughFront(file);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${file}, ${says}`);
    expect(front.uploads).toEqual([]);
  });

  test("must be headed by the columns", async () => {
    const file = join(folder, "headless.csv");
    writeFileSync(file, `meter,kw\nmain,1\n`);
    expect((await replay(file)).stderr).toContain("lacks the columns asset_type, interval_end_utc, interval_seconds");
  });

  test("must exist", async () => {
    expect((await replay(join(folder, "none.csv"))).stderr).toContain("none.csv cannot be read");
    expect((await replay(csv())).stderr).toContain("contains no readings");
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

  test("that the account lacks are created on request, once", async () => {
    const file = csv(`roof,generator,${at(60)},60,-1`, ...minutes(1), `pump,load,${at(60)},60,2`);
    await replay(file, "--create-site", "Annex");
    await replay(file, "--create-site", "Annex");
    const { items } = await service.made(operator.listAccountSites, { params: { id: anna.accountId } });
    expect(items).toHaveLength(2);
    const annex = { name: "Annex", meters: [{ name: "roof", asset_type: "generator" }, { name: "pump" }] };
    expect(items).toContainEqual(
      expect.objectContaining({ ...annex, meters: annex.meters.map((each) => expect.objectContaining(each)) }),
    );
    expect((await stored()).map(([, value]) => value).sort((a, b) => a - b)).toEqual([-1, -1, 1, 1, 2, 2]);
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

  test("reports before sending anything that its state cannot be written", async () => {
    const { exitCode, stderr } = await throughFront(csv(...minutes(2)), "--state", join(folder, "no", "state"));
    expect(exitCode).toBe(1);
    expect(stderr).toContain("use another state file with --state FILE");
    expect(front.uploads).toEqual([]);
    const other = csv();
    expect((await replay(csv(...minutes(2)), "--state", other)).stderr).toContain("is not the state of a replay");
  });
});
