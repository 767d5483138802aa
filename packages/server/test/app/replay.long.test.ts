import { createReadStream, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { operator } from "@curtail/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  actAs,
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
  test("made a second time changes nothing", async () => {
    const file = csv(...minutes(30));
    await replay(file);
    const before = await stored();
    expect((await replay(file, "--json")).json).toMatchObject({ readings: 30 });
    expect(before).toHaveLength(60);
    expect(await stored()).toEqual(before);
  });

  test("cuts intervals longer than 300 s into equal parts with the same power", async () => {
    const file = csv(`main,load,${at(900)},900,12`, `main,load,${at(1560)},660,5`);
    await throughFront(file);
    expect(front.uploads.flat()).toHaveLength(3 + 11);
    const cells = await stored();
    expect(cells.map(([, value]) => value)).toEqual([...Array<number>(30).fill(12), ...Array<number>(22).fill(5)]);
    expect(cells[0]?.[0]).toBe("2022-07-01T05:00:30Z");
  });

  test("holds a later line back while an earlier one for the same time is tried again", async () => {
    front.faults.push("broken", "none", "broken", "broken");
    const file = csv(`main,load,${at(60)},60,1`, `main,load,${at(60)},60,2`);
    const { waitedSeconds } = await throughFront(file, "--batch", "1", "--concurrency", "2");
    expect(waitedSeconds).toEqual([1, 1, 2]);
    expect((await stored()).map(([, value]) => value)).toEqual([2, 2]);
  });

  test("moves its timestamps so that the last one is a given moment", async () => {
    await throughFront(csv(...minutes(3)), "--shift", "2024-02-29T12:00:07Z");
    expect(front.uploads[0]?.map(({ timestamp }) => timestamp)).toEqual([
      "2024-02-29T11:58:07Z",
      "2024-02-29T11:59:07Z",
      "2024-02-29T12:00:07Z",
    ]);
  });
});

describe("the lines of the file", () => {
  test("may stand in any order of columns, with others among them", async () => {
    const file = join(folder, "columns.csv");
    writeFileSync(
      file,
      `\u{feff}kw, note ,interval_seconds,interval_end_utc,asset_type,meter\r\n7,x,30,${at(30)},,main\r\n`,
    );
    expect((await replay(file)).exitCode).toBe(0);
    expect(await stored()).toEqual([["2022-07-01T05:00:30Z", 7]]);
  });
});

describe("the meters of the file", () => {
  test("may be named by id; a name that several have needs the site", async () => {
    actAs(await service.newParticipant({ sites: [["main"], ["main"]] }));
    const [first, second] = anna.sites;
    const several = await replay(csv(...minutes(1)));
    expect(several.stderr).toContain(`"main" is the name of 2 meters: ${first?.meters[0]} (`);
    expect((await replay(csv(...minutes(1)), "--site", second?.id ?? "")).exitCode).toBe(0);
    expect((await replay(csv(`${first?.meters[0]},load,${at(60)},60,5`))).exitCode).toBe(0);
    expect((await stored()).map(([, value]) => value).sort((a, b) => a - b)).toEqual([1, 1, 5, 5]);
  });
});

describe("what happens on the way", () => {
  test("a failure of the network or of the service, and a 200 that is not of the service, are retried, ever later", async () => {
    front.faults.push("broken", { status: 500 }, { status: 200 }, "lost");
    const { exitCode, waitedSeconds } = await throughFront(csv(...minutes(2)));
    expect({ exitCode, waitedSeconds }).toEqual({ exitCode: 0, waitedSeconds: [1, 2, 4, 8] });
    expect(await stored()).toHaveLength(4);
  });

  test("a service that stays away ends it, with the key revoked", async () => {
    front.faults.push(...Array<"broken">(9).fill("broken"));
    const { exitCode, stderr, waitedSeconds } = await throughFront(csv(...minutes(2)));
    expect(exitCode).toBe(1);
    expect(waitedSeconds).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    expect(stderr).toMatch(/lines 2 to 3, could not be stored after 9 tries/);
    expect(await openKeys()).toEqual([]);
  });
});

describe("a replay that was stopped", () => {
  test("starts over with --restart, for another file, and for another service", async () => {
    const file = csv(...minutes(10));
    await stopInTheMiddle(file);
    expect((await replay(file, "--json")).json).toMatchObject({ readings: 10 });
    expect((await throughFront(file, "--json", "--restart")).json).toMatchObject({ readings: 10 });
    await stopInTheMiddle(file);
    utimesSync(file, new Date(), new Date(0));
    expect((await throughFront(file, "--json")).json).toMatchObject({ readings: 10 });
  });

  test("keeps the shift of its first run", async () => {
    const file = csv(...minutes(4));
    front.faults.push("none", { status: 400 });
    await throughFront(file, "--shift", "now", "--batch", "2");
    service.clock.advance({ minutes: 10 });
    await throughFront(file, "--shift", "now", "--batch", "2");
    const times = front.uploads.flat().map(({ timestamp }) => Date.parse(timestamp));
    expect(new Set(times).size).toBe(4);
    expect(Math.max(...times) - Math.min(...times)).toBe(180_000);
  });
});

const fixtures = process.env["TEST_FIXTURES"];

describe.skipIf(fixtures === undefined)("recorded data (needs TEST_FIXTURES)", () => {
  test("the first 2,000 lines of a building's main meter are stored as they stand", async () => {
    const source = join(fixtures ?? "", "data/commercial-building-1min-2022.csv");
    const lines: string[] = [];
    for await (const line of createInterface({ input: createReadStream(source) })) {
      if (lines.push(line) === 2000) break;
    }
    const file = join(folder, "building.csv");
    writeFileSync(file, `${lines.join("\n")}\n`);
    const done = await replay(file, "--create-site", "Building", "--json");
    expect(done.json).toMatchObject({ readings: 1999 });
    const expected = lines.slice(1, 61).map((line) => Number(line.split(",")[4]));
    const cells = (await stored(1)).map(([, value]) => value);
    expect(cells).toEqual(expected.flatMap((kw) => [kw, kw]));
  });
});

describe("a replay", () => {
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

describe("a replay that was stopped", () => {
  test("reports before sending anything that its state cannot be written", async () => {
    const { exitCode, stderr } = await throughFront(csv(...minutes(2)), "--state", join(folder, "no", "state"));
    expect(exitCode).toBe(1);
    expect(stderr).toContain("use another state file with --state FILE");
    expect(front.uploads).toEqual([]);
    const other = csv();
    expect((await replay(csv(...minutes(2)), "--state", other)).stderr).toContain("is not the state of a replay");
  });
});
