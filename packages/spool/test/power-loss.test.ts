import { cp, readFile, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { propertyRuns } from "@curtail/testing/property-runs";
import { expect, test } from "vitest";
import { openSpool } from "../src/index.js";
import { encoded } from "../src/record.js";
import { emptyFolder, segmentsIn, waitingIn } from "./support/folder.js";

const COUNT = 12;
const records = Array.from({ length: COUNT }, (_, index) => `{"kW":${index},"note":"${"ä".repeat(index)}"}`);

/** A closed spool with the records, and where each of them ends in its only segment. */
const written = async () => {
  const folder = await emptyFolder();
  const spool = await openSpool(folder, { now: () => 1_782_928_800_000 });
  const ends: number[] = [];
  for (const each of records) {
    await spool.append(each);
    ends.push(spool.state.bytes);
  }
  await spool.close();
  const [segment = ""] = await segmentsIn(folder);
  return { folder, segment, ends };
};

/** How far apart places are tried: all of them in a long run. */
const stepOver = (length: number): number => Math.max(1, Math.floor(length / propertyRuns(15)));

/** What a copy of the spool holds after something happened to its segment, and after one more record was appended. */
const afterwards = async (folder: string, copies: string, change: (segment: string) => Promise<void>) => {
  const copy = join(copies, crypto.randomUUID());
  await cp(folder, copy, { recursive: true });
  const [segment = ""] = await segmentsIn(copy);
  await change(segment);
  const spool = await openSpool(copy);
  const { damaged } = spool.state;
  const found = await waitingIn(spool);
  await spool.append("next");
  await spool.close();
  const again = await openSpool(copy);
  const foundAgain = await waitingIn(again);
  await again.close();
  expect(foundAgain).toEqual([...found, "next"]);
  return { found, damaged };
};

test("a segment that ends at any byte has every record that was whole, and takes new ones", async () => {
  const { folder, ends } = await written();
  const copies = await emptyFolder();
  const size = ends.at(-1) ?? 0;
  // The last three records byte by byte in a long run, those before at their ends.
  const tail = ends.at(-4) ?? 0;
  for (let bytes = tail; bytes <= size; bytes += stepOver(size - tail)) {
    const { found, damaged } = await afterwards(folder, copies, (segment) => truncate(segment, bytes));
    expect(found, `cut at ${bytes}`).toEqual(records.slice(0, ends.filter((end) => end <= bytes).length));
    expect(damaged).toBe(0);
  }
  for (const bytes of [0, 1, ...ends]) {
    const { found } = await afterwards(folder, copies, (segment) => truncate(segment, bytes));
    expect(found).toHaveLength(ends.filter((end) => end <= bytes).length);
  }
});

test("a flipped bit loses its record at most: those before and after stay, and it is counted", async () => {
  const { folder, segment, ends } = await written();
  const copies = await emptyFolder();
  const content = await readFile(segment);
  // One bit of each byte in a long run; at the desk of some in each record.
  for (let at = 0; at < content.length; at += stepOver(content.length)) {
    const hit = ends.findIndex((end) => at < end);
    const { found, damaged } = await afterwards(folder, copies, async (path) => {
      const changed = Buffer.from(content);
      changed[at] = (content[at] ?? 0) ^ (1 << (at % 8));
      await writeFile(path, changed);
    });
    expect(found, `bit of byte ${at}`).toEqual(records.toSpliced(hit, 1));
    // The last record cannot be told from one that was being written.
    expect(damaged).toBe(hit === COUNT - 1 ? 0 : 1);
  }
});

test("a tail of zeros or of rubbish, as a file system may leave it, is cut off", async () => {
  const { folder, segment, ends } = await written();
  const copies = await emptyFolder();
  const content = await readFile(segment);
  const rubbish = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7919) % 256));
  for (const tail of [Buffer.alloc(300), rubbish, content.subarray(0, 30), Buffer.alloc(1, 0xff)]) {
    const { found } = await afterwards(folder, copies, (path) => writeFile(path, Buffer.concat([content, tail])));
    expect(found).toEqual(records);
  }
  expect(ends.at(-1)).toBe(content.length);
});

test("a damaged end of an older segment is counted, and the spool still empties", async () => {
  const folder = await emptyFolder();
  const first = await openSpool(folder, { segmentBytes: 100 });
  for (const each of records.slice(0, 6)) await first.append(each);
  await first.close();
  const [oldest = ""] = await segmentsIn(folder);
  await truncate(oldest, (await readFile(oldest)).length - 1);
  const spool = await openSpool(folder);
  expect(spool.state.damaged).toBe(1);
  const found = await spool.take(100);
  expect(found).toHaveLength(5);
  await spool.retire(found.at(-1)?.position ?? -1);
  expect(spool.state.waiting).toBe(0);
  await spool.close();
});

test("a spool of which only damage is left is empty", async () => {
  const folder = await emptyFolder();
  const first = await openSpool(folder, { segmentBytes: 1 });
  await first.append("one");
  await first.append("two");
  await first.retire(0);
  await first.close();
  const [newest = ""] = (await segmentsIn(folder)).toReversed();
  await truncate(newest, 10);
  const spool = await openSpool(folder);
  expect(await spool.take(10)).toEqual([]);
  expect(spool.state.waiting).toBe(0);
  await spool.close();
});

test("a crash between the new segment and its first record leaves a spool that goes on", async () => {
  const { folder } = await written();
  await writeFile(join(folder, `segment-${String(COUNT).padStart(16, "0")}.log`), "");
  const spool = await openSpool(folder);
  expect(await waitingIn(spool)).toEqual(records);
  expect(await spool.append("next")).toBe(COUNT);
  await spool.close();
  expect((await segmentsIn(folder)).map((path) => basename(path))).toHaveLength(2);
});

test("a progress file that was being replaced counts with its old content", async () => {
  const { folder } = await written();
  const first = await openSpool(folder);
  await first.retire(2);
  await first.close();
  await writeFile(join(folder, "progress.json.new"), '{"from":');
  const spool = await openSpool(folder);
  expect(await waitingIn(spool)).toEqual(records.slice(3));
  await spool.close();
  await writeFile(join(folder, "progress.json"), "");
  await expect(openSpool(folder)).rejects.toThrow("delete it to send all records");
});

test("an encoded record covers its length, position and time by its checksum", () => {
  const record = { position: 7, atMs: 1_782_928_800_000, payload: Buffer.from("abc") };
  expect(encoded(record)).toHaveLength(27);
  expect(encoded({ ...record, position: 8 }).subarray(4, 8)).not.toEqual(encoded(record).subarray(4, 8));
});
