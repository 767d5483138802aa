import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Access } from "../src/participant/access.js";
import { beginNote, folderFor, learn } from "../src/participant/earlier-readings.js";
import { folderOfKey, isOfKey, noteIn, type SpoolPlace, writeNote } from "../src/participant/spool-folders.js";

const url = "https://service.example";
const accessOf = (key: string): Access => ({ url, api_key: `ctp_${key}`, from: "the environment" });
const account = { url, ids: new Set(["site_1", "mtr_1"]) };

const emptyPlace = (isNamed = false): SpoolPlace => {
  const base = mkdtempSync(join(tmpdir(), "curtail-notes-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return { base, isNamed };
};

/** As a run does: it takes a folder, and the service may answer whose it is. */
const runWith = async (place: SpoolPlace, access: Access, isAnswered: boolean): Promise<string> => {
  const folder = await folderFor(place, access);
  beginNote(folder, access);
  if (isAnswered) learn(place, folder, access, account);
  return folder;
};

test("a key that went to its account's folder has one again after that folder was removed", async () => {
  const place = emptyPlace();
  const home = await runWith(place, accessOf("old"), true);
  const own = await runWith(place, accessOf("new"), true);
  expect(own).not.toBe(home);
  expect(await folderFor(place, accessOf("new"))).toBe(home);
  rmSync(home, { recursive: true });
  expect(await runWith(place, accessOf("new"), false)).toBe(own);
  expect(isOfKey(own, accessOf("new"))).toBe(true);
});

test("a key stays in its folder while its mark cannot be written to the account's", async () => {
  const place = emptyPlace();
  const home = await runWith(place, accessOf("old"), true);
  const own = await runWith(place, accessOf("new"), false);
  // As a full disk: the note that would replace it cannot be written.
  mkdirSync(join(home, `account.json.${process.pid}.new`));
  expect(() => learn(place, own, accessOf("new"), account)).toThrow();
  expect(await runWith(place, accessOf("new"), false)).toBe(own);
  rmSync(join(home, `account.json.${process.pid}.new`), { recursive: true });
  await runWith(place, accessOf("new"), true);
  expect(await folderFor(place, accessOf("new"))).toBe(home);
});

test("what the service says twice in a run leaves the key in its account's folder alone", async () => {
  const place = emptyPlace();
  const home = await runWith(place, accessOf("old"), true);
  const own = await runWith(place, accessOf("new"), true);
  learn(place, own, accessOf("new"), account);
  expect(noteIn(own)?.keys).toEqual([]);
  expect(await folderFor(place, accessOf("new"))).toBe(home);
});

test("a folder that another key has taken meanwhile is not taken, nor one of another address", async () => {
  const place = emptyPlace(true);
  beginNote(place.base, accessOf("first"));
  expect(() => beginNote(place.base, accessOf("second"))).toThrow("run the command again");
  const own = folderOfKey(place.base, accessOf("second"));
  writeNote(own, { url: "https://other.example", keys: [], ids: [] });
  expect(() => beginNote(own, accessOf("second"))).toThrow("run the command again");
});

const rehearsing = (key: string): Access => ({ url, api_key: `cts_${key}`, from: "the environment" });

test("two keys of the sandbox keep a folder each, though the service shows both the same sites", async () => {
  const place = emptyPlace();
  const first = await runWith(place, rehearsing("a"), true);
  const second = await runWith(place, rehearsing("b"), true);
  expect(second).not.toBe(first);
  expect(await folderFor(place, rehearsing("b"))).toBe(second);
  expect(await folderFor(place, rehearsing("a"))).toBe(first);
});

test("through rotations, outages, removed folders and old notes, every key finds a folder that it may use", async () => {
  const step = fc.record({
    key: fc.constantFrom("a", "b", "c"),
    what: fc.constantFrom("answered", "away", "remove a folder", "forget its keys"),
    at: fc.nat({ max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 25 }), async (isNamed, steps) => {
      const place = emptyPlace(isNamed);
      for (const { key, what, at } of steps) {
        const names = readdirSync(place.base).filter((name) => name.startsWith("upload-"));
        const folder = join(place.base, names[at % Math.max(1, names.length)] ?? "none");
        const note = noteIn(folder);
        if (what === "remove a folder") rmSync(folder, { recursive: true, force: true });
        // As a kill of an earlier version left it.
        else if (what === "forget its keys" && note !== null) writeNote(folder, { ...note, keys: [] });
        else {
          await runWith(place, accessOf(key), what === "answered");
          expect(isOfKey(await folderFor(place, accessOf(key)), accessOf(key))).toBe(true);
        }
      }
    }),
    { numRuns: propertyRuns(30) },
  );
});
