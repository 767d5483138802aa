import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Dropped, openSpool, SpoolFull, SpoolInUse } from "../src/index.js";
import { emptyFolder, openIn, segmentsIn, waitingIn } from "./support/folder.js";

const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `record ${from + index}`);

test("records come out in their order, the same ones until they are retired", async () => {
  const spool = await openIn(await emptyFolder());
  expect(await Promise.all(numbered(5).map((each) => spool.append(each)))).toEqual([0, 1, 2, 3, 4]);
  expect((await spool.take(2)).map(({ position }) => position)).toEqual([0, 1]);
  expect(await waitingIn(spool)).toEqual(numbered(5));
  await spool.retire(1);
  expect(await waitingIn(spool)).toEqual(numbered(3, 2));
  await spool.retire(4);
  expect([await waitingIn(spool), spool.state.waiting]).toEqual([[], 0]);
});

test("what was appended and retired is still so after a restart", async () => {
  const folder = await emptyFolder();
  const first = await openSpool(folder);
  for (const each of numbered(3)) await first.append(each);
  await first.retire(0);
  await first.close();
  const again = await openIn(folder);
  expect(await waitingIn(again)).toEqual(numbered(2, 1));
  expect(await again.append("later")).toBe(3);
});

test("records that are appended together share a sync", async () => {
  const folder = await emptyFolder();
  const spool = await openIn(folder);
  await spool.append("first");
  const started = performance.now();
  await Promise.all(numbered(20_000).map((each) => spool.append(each)));
  // Ten thousand syncs take longer on any disk that has to do something for one.
  expect(performance.now() - started).toBeLessThan(5000);
  expect(spool.state.waiting).toBe(20_001);
});

test("full segments are left behind, and go when everything in them is retired", async () => {
  const folder = await emptyFolder();
  const spool = await openIn(folder, { segmentBytes: 200 });
  for (const each of numbered(30)) await spool.append(each);
  const before = (await segmentsIn(folder)).length;
  expect(before).toBeGreaterThan(3);
  expect(await waitingIn(spool)).toEqual(numbered(30));
  await spool.retire(14);
  expect((await segmentsIn(folder)).length).toBeLessThan(before);
  expect(await waitingIn(spool)).toEqual(numbered(15, 15));
  await spool.retire(29);
  expect(await segmentsIn(folder)).toHaveLength(1);
});

test("beyond its bytes the oldest records go, counted and reported, also after a restart", async () => {
  const folder = await emptyFolder();
  const drops: Dropped[] = [];
  const options = { maxBytes: 2000, onDrop: (dropped: Dropped) => void drops.push(dropped) };
  const spool = await openSpool(folder, options);
  for (const each of numbered(200)) await spool.append(each);
  const waiting = await waitingIn(spool);
  expect(waiting).toEqual(numbered(waiting.length, 200 - waiting.length));
  expect(spool.state.bytes).toBeLessThanOrEqual(2000);
  expect(drops.reduce((sum, { records }) => sum + records, 0)).toBe(200 - waiting.length);
  expect(drops[0]).toMatchObject({ because: "bytes", from: 0 });
  await spool.close();
  expect((await openIn(folder, options)).state.dropped).toBe(200 - waiting.length);
});

test("a spool that refuses when full drops nothing, and takes records again once there is room", async () => {
  const spool = await openIn(await emptyFolder(), { maxBytes: 1000, whenFull: "refuse" });
  const appended = await Promise.allSettled(numbered(100).map((each) => spool.append(each)));
  const count = appended.findIndex(({ status }) => status === "rejected");
  expect(count).toBeGreaterThan(20);
  for (const each of appended.slice(count)) expect(each).toMatchObject({ reason: expect.any(SpoolFull) });
  expect(await waitingIn(spool)).toEqual(numbered(count));
  expect(spool.state.bytes).toBeLessThanOrEqual(1000);
  await spool.retire(count - 1);
  expect(await spool.append("more")).toBe(count);
});

test("records that are too old go by whole segments", async () => {
  let now = Date.parse("2026-07-01T18:00:00Z");
  const drops: Dropped[] = [];
  const onDrop = (dropped: Dropped) => void drops.push(dropped);
  const spool = await openIn(await emptyFolder(), { maxAgeMs: 60_000, onDrop, now: () => now });
  await spool.append("old");
  now += 60_000;
  expect(await waitingIn(spool)).toEqual(["old"]);
  now += 1;
  expect(await waitingIn(spool)).toEqual([]);
  expect(drops).toEqual([{ because: "age", records: 1, from: 0 }]);
  await spool.append("new");
  expect(await waitingIn(spool)).toEqual(["new"]);
});

test("a record that is set aside is in a file with its reason, once", async () => {
  const folder = await emptyFolder();
  const spool = await openSpool(folder, { now: () => Date.parse("2026-07-01T18:00:00Z") });
  await spool.append('{"kW":"ä"}');
  const [record] = await spool.take(1);
  if (record === undefined) throw new Error("there is a record");
  await spool.setAside(record, "it must be a number");
  await spool.close();
  // A crash before it is retired: it is taken again.
  await appendFile(join(folder, "set-aside.jsonl"), '{"half a li');
  const again = await openIn(folder);
  await again.setAside(record, "it must be a number");
  const line = {
    position: 0,
    appended_at: "2026-07-01T18:00:00.000Z",
    reason: "it must be a number",
    record: '{"kW":"ä"}',
  };
  expect(await readFile(join(folder, "set-aside.jsonl"), "utf8")).toBe(`${JSON.stringify(line)}\n`);
  expect(again.state.setAside).toBe(1);
});

test("a folder belongs to one spool at a time, and to the next once it is closed", async () => {
  const folder = await emptyFolder();
  const spool = await openSpool(folder);
  await expect(openSpool(folder)).rejects.toThrow(SpoolInUse);
  await spool.append("first");
  await spool.close();
  expect(await waitingIn(await openIn(folder))).toEqual(["first"]);
});

test("of many that open a folder at once, at most one does", async () => {
  const folder = await emptyFolder();
  const opened = await Promise.allSettled(Array.from({ length: 8 }, () => openSpool(folder)));
  const spools = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(spools.length).toBeLessThanOrEqual(1);
  for (const spool of spools) await spool.close();
  expect((await readdir(folder)).filter((name) => name.startsWith("lock"))).toEqual([]);
});

test("the lock of a process that has ended is removed; that of a living one stays, unless its id was used again", async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, "lock.4194305.1.gone"), "");
  await writeFile(join(folder, `lock.${process.ppid}.1.reused`), "");
  const spool = await openSpool(folder);
  await spool.close();
  expect((await readdir(folder)).filter((name) => name.startsWith("lock"))).toEqual([]);
  // Where the system does not say when a process started, it counts as the one that locked.
  await writeFile(join(folder, `lock.${process.ppid}.0.unknown`), "");
  await expect(openSpool(folder)).rejects.toThrow(`in use by process ${process.ppid}`);
});

test("a record that is too large is refused by itself, a closed spool takes none", async () => {
  const spool = await openSpool(await emptyFolder());
  await expect(spool.append(new Uint8Array(1024 * 1024 + 1))).rejects.toThrow("at most 1048576 bytes");
  expect(await spool.append(new Uint8Array(1024 * 1024))).toBe(0);
  expect(await spool.append("")).toBe(1);
  await spool.close();
  await spool.close();
  await expect(spool.append("late")).rejects.toThrow("closed");
});

test("whoever waits for a record is woken by it, or by its signal", async () => {
  const spool = await openIn(await emptyFolder());
  const woken = vi.fn();
  const waiting = spool.arrival().then(woken);
  expect(woken).not.toHaveBeenCalled();
  await spool.append("first");
  await waiting;
  await spool.retire(0);
  const stop = new AbortController();
  const stopped = spool.arrival(stop.signal);
  stop.abort(new Error("shutting down"));
  await expect(stopped).rejects.toThrow("shutting down");
});
