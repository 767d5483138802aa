import { chmod, chown, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closeToOthers, prepareDataDirectory } from "../src/data-directory.js";
import { isRoot, nobody, temporaryDirectory } from "./fixtures/playground.js";

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o7777;

/** Closes it; returns what was logged. */
const closed = async (dataDir: string): Promise<string[]> => {
  const lines: string[] = [];
  const note = (_details: object, message: string): void => void lines.push(message);
  await closeToOthers(dataDir, { info: note, warn: note, error: note });
  return lines;
};

const openDirectory = async (mode: number): Promise<string> => {
  const dataDir = join(await temporaryDirectory(), "data");
  await mkdir(dataDir);
  await chmod(dataDir, mode);
  return dataDir;
};

test("the data directory is made closed to others", async () => {
  const dataDir = join(await temporaryDirectory(), "below", "data");
  await prepareDataDirectory(dataDir);
  expect(await modeOf(dataDir)).toBe(0o700);
});

test.each([0o755, 0o750, 0o701, 0o777])("one of mode %o is closed, and the log says so", async (mode) => {
  const dataDir = await openDirectory(mode);
  expect(await closed(dataDir)).toEqual(["the data directory was open to other users; access has been restricted"]);
  expect(await modeOf(dataDir)).toBe(0o700);
});

test("one that is closed already, or not there yet, is nothing to speak of", async () => {
  expect(await closed(await openDirectory(0o700))).toEqual([]);
  expect(await closed("/nowhere/data")).toEqual([]);
});

test("a shared one, such as /tmp, is left unchanged, with a warning", async () => {
  const dataDir = await openDirectory(0o1777);
  expect(await closed(dataDir)).toEqual([
    "other users have access to the data directory; give Curtail its own directory",
  ]);
  expect(await modeOf(dataDir)).toBe(0o1777);
});

test.runIf(isRoot)("one that belongs to somebody else is left as it is, with a warning", async () => {
  const dataDir = await openDirectory(0o755);
  await chown(dataDir, nobody.uid, nobody.gid);
  expect(await closed(dataDir)).toHaveLength(1);
  expect(await modeOf(dataDir)).toBe(0o755);
});
