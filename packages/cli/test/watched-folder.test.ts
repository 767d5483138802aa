import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freePlace, type Places, placesIn } from "../src/participant/watch-places.js";
import { WatchState } from "../src/participant/watch-state.js";
import { type FoundFile, fileAt, lookInto, Settling } from "../src/participant/watched-files.js";

let places: Places;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-watch-"));
  places = placesIn(folder);
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
        await state.move();
        // As it was before what came after the kill.
        if (kill !== "none") writeFileSync(places.state, decided);
        if (kill === "faults moved") renameSync(file.to, join(places.folder, name));
      }
      const next = WatchState.open(places, "2026-11-27");
      await next.move();
      expect(await next.move()).toBeNull();
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
    expect(await state.move()).toBeNull();
    expect(readFileSync(join(places.folder, "a.csv"), "utf8")).toBe("another one");
    expect(readdirSync(join(places.folder, "done"))).toEqual([]);
  });

  test("gets a free name, which is never too long", async () => {
    for (const name of ["a.csv", "a.csv", "b", "b", `${"ä".repeat(120)}.csv`, `${"ä".repeat(120)}.csv`]) {
      const state = WatchState.open(places, "2026-11-27");
      state.decide(await moving(name, "refused"), "faults");
      expect(await state.move()).not.toBeNull();
    }
    const names = readdirSync(join(places.folder, "refused"));
    expect(names).toHaveLength(12);
    expect(names).toEqual(expect.arrayContaining(["a.csv", "a-2.csv", "a-2.csv.faults.txt", "b", "b-2"]));
  });
});

test("the count of a day is written once, also if a kill comes after the line", async () => {
  const state = WatchState.open(places, "2026-11-27");
  const file = await found("a.csv");
  state.decide(
    { file, verdict: "done", to: freePlace(places.folder, "done", "a.csv"), stored: 1440, setAside: 0 },
    null,
  );
  await state.move();
  const before = readFileSync(places.state);
  const line = "2026-11-27: 1 file done, 0 refused; 1,440 readings stored, 0 refused\n";
  expect(state.turnTo("2026-11-27")).toBeNull();
  expect(state.turnTo("2026-11-28")).toMatchObject({ done: 1, stored: 1440 });
  expect(readFileSync(places.summary, "utf8")).toBe(line);
  writeFileSync(places.state, before);
  const next = WatchState.open(places, "2026-11-28");
  next.turnTo("2026-11-28");
  expect(next.tally).toEqual({ day: "2026-11-28", done: 0, refused: 0, stored: 0, setAside: 0 });
  next.turnTo("2026-11-29");
  expect(readFileSync(places.summary, "utf8")).toBe(
    `${line}2026-11-28: 0 files done, 0 refused; 0 readings stored, 0 refused\n`,
  );
});

test("a look sees files with content, oldest first, and no links, folders or unfinished names", async () => {
  for (const name of ["b.csv", "a.csv", ".hidden", "c.part", "d.TMP", "e.FilePart", "summary.log"]) await found(name);
  await found("empty.csv", "");
  const { files, hasMore } = await lookInto(places.folder, new Set(["summary.log"]));
  expect([files.map(({ name }) => name).toSorted(), hasMore]).toEqual([["a.csv", "b.csv"], false]);
});
