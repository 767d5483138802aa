import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Moving } from "../src/participant/watch-kept.js";
import { claimPlaces, freePlace, type Places, placesIn } from "../src/participant/watch-places.js";
import { WatchState } from "../src/participant/watch-state.js";
import { type FoundFile, fileAt, lookInto, MOST, Settling } from "../src/participant/watched-files.js";

const NOW = new Date("2026-11-27T12:00:00Z");

let places: Places;
let said: string[];
const say = (words: string): void => void said.push(words);

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-watch-"));
  places = placesIn(folder);
  said = [];
  for (const name of ["done", "refused", ".curtail"]) mkdirSync(join(folder, name));
});

afterEach(() => rmSync(places.folder, { recursive: true }));

const found = async (name: string, content = name): Promise<FoundFile> => {
  writeFileSync(join(places.folder, name), content);
  const file = await fileAt(places.folder, name);
  if (file === null) throw new Error("the file is not there");
  return file;
};

test("a file has settled when no look has seen it change for long enough", () => {
  const change = fc.record({
    name: fc.constantFrom("a", "b", "c"),
    bytes: fc.nat(3),
    afterMs: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const settling = new Settling(10);
      const history: Array<{ readonly atMs: number; readonly files: ReadonlyMap<string, number> }> = [];
      for (const { name, bytes, afterMs } of changes) {
        const last = history.at(-1) ?? { atMs: 0, files: new Map<string, number>() };
        const files = new Map([...last.files].filter(([each]) => each !== name || bytes > 0));
        if (bytes > 0) files.set(name, bytes);
        const atMs = last.atMs + afterMs;
        history.push({ atMs, files });
        const seen = [...files].map(([each, size]) => ({ name: each, bytes: size, modified_at: "" }));
        // Plainly: every look of the last 10 ms, and one at least so long ago, had it like this.
        const isSettled = ([each, size]: readonly [string, number]): boolean => {
          const from = history.findLastIndex((look) => look.files.get(each) !== size) + 1;
          return atMs - (history[from]?.atMs ?? atMs) >= 10;
        };
        expect(settling.settled(seen, atMs).map((file) => file.name)).toEqual(
          [...files].filter(isSettled).map(([each]) => each),
        );
      }
    }),
  );
});

const move = async (state: WatchState, now = NOW): Promise<readonly Moving[]> => {
  const moved: Moving[] = [];
  for await (const each of state.move(now, say)) moved.push(each);
  return moved;
};

const moving = async (name: string, verdict: "done" | "refused", stored = 1, setAside = 0) => {
  const file = await found(name);
  return { file, verdict, to: freePlace(places.folder, verdict, name), stored, setAside };
};

describe("what becomes of a file", () => {
  test("is finished by the next run, wherever a kill fell, and counted once", async () => {
    for (const kill of ["decided", "faults moved", "moved", "none"] as const) {
      const name = `${kill}.csv`;
      const state = WatchState.open(places, "2026-11-27");
      const before = state.tally;
      const file = await moving(name, "refused", 2, 1);
      state.decide(file, "its faults");
      const decided = readFileSync(places.state);
      if (kill !== "decided") {
        await move(state);
        // As it was before what came after the kill.
        if (kill !== "none") writeFileSync(places.state, decided);
        if (kill === "faults moved") renameSync(file.to, join(places.folder, name));
      }
      const next = WatchState.open(places, "2026-11-27");
      await move(next);
      expect(await move(next)).toEqual([]);
      expect(existsSync(join(places.folder, name))).toBe(false);
      expect(readFileSync(file.to, "utf8")).toBe(name);
      expect(readFileSync(`${file.to}.faults.txt`, "utf8")).toBe("its faults");
      expect(next.tally).toEqual({
        ...before,
        refused: before.refused + 1,
        stored: before.stored + 2,
        setAside: before.setAside + 1,
      });
    }
  });

  test("does not concern a file that replaced it meanwhile", async () => {
    const state = WatchState.open(places, "2026-11-27");
    state.decide(await moving("a.csv", "done"), null);
    await found("a.csv", "another one");
    expect(await move(state)).toEqual([]);
    expect(readFileSync(join(places.folder, "a.csv"), "utf8")).toBe("another one");
    expect(readdirSync(join(places.folder, "done"))).toEqual([]);
  });

  test("gets a free name, which is never too long", async () => {
    for (const name of ["a.csv", "a.csv", "b", "b", `${"ä".repeat(120)}.csv`, `${"ä".repeat(120)}.csv`]) {
      const state = WatchState.open(places, "2026-11-27");
      state.decide(await moving(name, "refused"), "faults");
      expect(await move(state)).toHaveLength(1);
    }
    const names = readdirSync(join(places.folder, "refused"));
    expect(names).toHaveLength(12);
    expect(names).toEqual(expect.arrayContaining(["a.csv", "a-2.csv", "a-2.csv.faults.txt", "b", "b-2"]));
  });

  test("waits where it cannot be moved, with its faults, and keeps no other from its place", async () => {
    const refused = join(places.folder, "refused");
    rmSync(refused, { recursive: true });
    writeFileSync(refused, "");
    const state = WatchState.open(places, "2026-11-27");
    const decide = async (name: string, verdict: "done" | "refused"): Promise<void> => {
      const file = await found(name);
      const to = state.placeFor(file, verdict);
      state.decide({ file, verdict, to, stored: 1, setAside: 0 }, verdict === "done" ? null : `faults of ${name}`);
    };
    const toMove = [
      ["a.csv", "refused"],
      ["b.csv", "done"],
      ["c.csv", "refused"],
      ["d.csv", "done"],
    ] as const;
    for (const [name, verdict] of toMove) {
      await decide(name, verdict);
      await move(state);
    }
    expect(readdirSync(join(places.folder, "done"))).toEqual(["b.csv", "d.csv"]);
    expect(state.waiting).toEqual(["a.csv", "c.csv"]);
    expect(said[0]).toMatch(/^a.csv is dealt with and cannot be moved: ENOTDIR/);
    rmSync(refused);
    mkdirSync(refused);
    const next = WatchState.open(places, "2026-11-27");
    expect((await move(next)).map(({ file }) => file.name)).toEqual(["a.csv", "c.csv"]);
    expect(readdirSync(refused)).toEqual(["a.csv", "a.csv.faults.txt", "c.csv", "c.csv.faults.txt"]);
    expect(readFileSync(join(refused, "c.csv.faults.txt"), "utf8")).toBe("faults of c.csv");
    expect([next.waiting, next.tally.done, next.tally.refused]).toEqual([[], 2, 2]);
    expect(readdirSync(places.own)).toEqual(["watch.json"]);
  });

  test("never gets a place that is promised to a file that waits", async () => {
    mkdirSync(join(places.folder, "done", "a.csv"));
    const state = WatchState.open(places, "2026-11-27");
    for (const name of ["a.csv", "a-2.csv"]) {
      const file = await found(name);
      state.decide({ file, verdict: "done", to: state.placeFor(file, "done"), stored: 1, setAside: 0 }, null);
    }
    expect((await move(state)).map(({ to }) => to.slice(places.folder.length))).toEqual([
      "/done/a-2.csv",
      "/done/a-2-2.csv",
    ]);
  });

  test("is looked at again for a day after it was moved to done, and goes back to its place", async () => {
    const state = WatchState.open(places, "2026-11-27");
    for (const [name, verdict] of [
      ["a.csv", "done"],
      ["b.csv", "done"],
      ["c.csv", "refused"],
    ] as const)
      state.decide(await moving(name, verdict), null);
    await move(state);
    const next = WatchState.open(places, "2026-11-27");
    expect(await next.changed(NOW)).toEqual([]);
    for (const place of ["done/a.csv", "refused/c.csv"]) appendFileSync(join(places.folder, place), "more");
    const after = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
    expect(await next.changed(after(24))).toEqual([]);
    const [file, ...others] = await next.changed(after(23.9));
    expect([file, others]).toEqual([await fileAt(places.folder, "done/a.csv"), []]);
    if (file === undefined) return;
    const to = next.placeFor(file, "done");
    next.decide({ file, verdict: "done", to, stored: 1, setAside: 0 }, null);
    expect(await move(next)).toMatchObject([{ to: join(places.folder, "done", "a.csv") }]);
    expect(await next.changed(NOW)).toEqual([]);
    expect(readdirSync(join(places.folder, "done"))).toEqual(["a.csv", "b.csv"]);
  });
});

test.each([
  "",
  "{",
  "5",
  "[]",
  '{"tally":{}}',
  '{"tally":{"day":"2026-11-27","done":0,"refused":0,"stored":0,"setAside":0},"moves":[{}],"moved":[]}',
  '{"tally":{"day":"2026-11-27","done":"0","refused":0,"stored":0,"setAside":0},"moves":[],"moved":[]}',
])("state that is damaged or of another program, %s, is none", async (text) => {
  writeFileSync(places.state, text);
  const state = WatchState.open(places, "2026-11-27");
  state.decide(await moving("a.csv", "done"), null);
  expect(await move(state)).toHaveLength(1);
  expect(WatchState.open(places, "2026-11-27").tally).toMatchObject({ done: 1, stored: 1 });
});

test("the count of a day is written once, also if a kill comes after the line", async () => {
  const state = WatchState.open(places, "2026-11-27");
  const file = await found("a.csv");
  state.decide(
    { file, verdict: "done", to: freePlace(places.folder, "done", "a.csv"), stored: 1440, setAside: 0 },
    null,
  );
  await move(state);
  const before = readFileSync(places.state);
  const line = "2026-11-27: 1 file done, 0 refused; 1,440 readings stored, 0 refused\n";
  expect(state.turnTo("2026-11-27", say)).toBeNull();
  expect(state.turnTo("2026-11-28", say)).toMatchObject({ done: 1, stored: 1440 });
  expect(readFileSync(places.summary, "utf8")).toBe(line);
  writeFileSync(places.state, before);
  const next = WatchState.open(places, "2026-11-28");
  next.turnTo("2026-11-28", say);
  expect(next.tally).toEqual({ day: "2026-11-28", done: 0, refused: 0, stored: 0, setAside: 0 });
  next.turnTo("2026-11-29", say);
  expect(readFileSync(places.summary, "utf8")).toBe(
    `${line}2026-11-28: 0 files done, 0 refused; 0 readings stored, 0 refused\n`,
  );
});

test("the count of a day is not written through a link", () => {
  const target = join(places.own, "another");
  writeFileSync(target, "kept");
  symlinkSync(target, places.summary);
  const state = WatchState.open(places, "2026-11-27");
  expect(state.turnTo("2026-11-28", say)).toMatchObject({ day: "2026-11-27" });
  expect([state.tally.day, readFileSync(target, "utf8")]).toEqual(["2026-11-28", "kept"]);
  expect(said).toEqual([expect.stringMatching(/summary.log is a link or no file; remove it/)]);
});

const OTHER_FILE_SYSTEM = "/dev/shm";
const hasTwo = existsSync(OTHER_FILE_SYSTEM) && statSync(OTHER_FILE_SYSTEM).dev !== statSync(tmpdir()).dev;

test.runIf(hasTwo)("a watch does not begin where files cannot be renamed into done", async () => {
  const own = mkdtempSync(join(OTHER_FILE_SYSTEM, "curtail-watch-"));
  try {
    await expect(claimPlaces({ ...places, own })).rejects.toThrow(
      /done is on another file system; done\/ and refused\//,
    );
    expect([readdirSync(own), readdirSync(join(places.folder, "done"))]).toEqual([[], []]);
  } finally {
    rmSync(own, { recursive: true });
  }
  await (await claimPlaces(places))();
  expect(readdirSync(join(places.folder, "done"))).toEqual([]);
});

test("a look sees files with content, oldest first, and no links, folders or unfinished names", async () => {
  for (const name of ["b.csv", "a.csv", ".hidden", "c.part", "d.TMP", "e.FilePart", "summary.log"]) await found(name);
  await found("empty.csv", "");
  const { files, hasMore } = await lookInto(places.folder, new Set(["summary.log"]));
  expect([files.map(({ name }) => name).toSorted(), hasMore]).toEqual([["a.csv", "b.csv"], false]);
});

test("docs/cli.md says how much a look takes in", () => {
  const page = readFileSync(new URL("../../../docs/cli.md", import.meta.url), "utf8");
  const [files, asked] = [MOST.files, MOST.asked].map((most) => most.toLocaleString("en"));
  expect(page).toContain(`One reading takes up to ${files} files, and checks up to ${asked} names.`);
});

test("what is never taken keeps no later file from a look, within a bound", async () => {
  for (let at = 0; at < 199; at++) writeFileSync(join(places.folder, `a-${at}.csv.ok`), "");
  await found("b.csv");
  await found("c.csv");
  symlinkSync("b.csv", join(places.folder, "a-link"));
  const names = async () => {
    const { files, hasMore } = await lookInto(places.folder, new Set(), { ...MOST, asked: 200 });
    return [files.map(({ name }) => name), hasMore];
  };
  expect(await names()).toEqual([["b.csv"], true]);
  rmSync(join(places.folder, "a-0.csv.ok"));
  expect(await names()).toEqual([["b.csv", "c.csv"], false]);
});

test.runIf(process.platform === "linux")("a look names files whose name is not UTF-8", async () => {
  const name = Buffer.concat([Buffer.from(`${places.folder}/Z`), Buffer.of(0xe4), Buffer.from("hler.csv")]);
  writeFileSync(name, "1");
  await found("whole \uFFFD.csv");
  const { files, notUtf8 } = await lookInto(places.folder, new Set());
  expect([files.map((file) => file.name), notUtf8]).toEqual([["whole \uFFFD.csv"], ["Z\uFFFDhler.csv"]]);
});
