import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lookAtSpool, openSpool, waitingRecords } from "../src/index.js";
import { emptyFolder, openIn } from "./support/folder.js";

const textsIn = async (folder: string): Promise<readonly string[]> => {
  const texts: string[] = [];
  for await (const { payload } of waitingRecords(folder)) texts.push(new TextDecoder().decode(payload));
  return texts;
};

test("a spool is looked at while another one uses it, and not changed", async () => {
  const folder = await emptyFolder();
  // Segments of one record each.
  const spool = await openIn(folder, { segmentBytes: 1, now: () => 1000 });
  for (const each of ["a", "b", "c"]) await spool.append(each);
  await spool.setAside({ position: 0, atMs: 1000, payload: Buffer.from("a") }, "no reading");
  await spool.retire(0);
  const before = await readdir(folder);
  expect(await lookAtSpool(folder)).toEqual({ waiting: 2, oldestMs: 1000, setAside: 1, usedBy: process.pid });
  expect(await textsIn(folder)).toEqual(["b", "c"]);
  expect(await readdir(folder)).toEqual(before);
});

test("a spool that nobody uses is looked at as a crash left it", async () => {
  const folder = await emptyFolder();
  const spool = await openSpool(folder);
  await spool.append("a");
  await spool.close();
  expect(await lookAtSpool(folder)).toMatchObject({ waiting: 1, usedBy: null });
});

test("a folder that is not there is no spool", async () => {
  const folder = join(await emptyFolder(), "none");
  expect([await lookAtSpool(folder), await textsIn(folder)]).toEqual([null, []]);
});
