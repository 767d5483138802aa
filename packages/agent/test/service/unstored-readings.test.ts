import { expect, test } from "vitest";
import type { Reading } from "../../src/readings/meter-sampler.js";
import { UnstoredReadings } from "../../src/service/unstored-readings.js";

const reading = (minute: number): Reading => ({ meterId: "mtr_1", endMs: minute * 60_000, intervalMs: 60_000, kw: 5 });

/** A disk with room for so many readings. */
const diskWith = (room: number) => {
  const disk = { room, attempts: 0, taken: [] as number[] };
  const unstored = new UnstoredReadings(({ endMs }) => {
    disk.attempts++;
    if (disk.taken.length >= disk.room) return Promise.reject(new Error("ENOSPC: no space left on device, write"));
    disk.taken.push(endMs / 60_000);
    return Promise.resolve();
  });
  return { disk, unstored };
};

test("readings that the disk does not take are stored in order once it has room", async () => {
  const { disk, unstored } = diskWith(1);
  await unstored.put([reading(1), reading(2)]);
  await unstored.put([reading(3)]);
  expect(unstored).toMatchObject({ count: 2, dropped: 0, fault: "ENOSPC: no space left on device, write" });
  disk.room = 10;
  await unstored.put([]);
  expect(disk.taken).toEqual([1, 2, 3]);
  expect(unstored).toMatchObject({ count: 0, dropped: 0, fault: null });
});

test("a full disk is tried with one reading at a time", async () => {
  const { disk, unstored } = diskWith(0);
  await unstored.put([reading(1), reading(2), reading(3)]);
  disk.attempts = 0;
  for (let minute = 4; minute < 14; minute++) await unstored.put([reading(minute)]);
  expect(disk.attempts).toBe(10);
});

test("the oldest of too many readings are dropped, and counted", async () => {
  const { disk, unstored } = diskWith(0);
  await unstored.put(Array.from({ length: 10_002 }, (_, minute) => reading(minute)));
  expect(unstored).toMatchObject({ count: 10_000, dropped: 2 });
  disk.room = 20_000;
  await unstored.put([]);
  expect([disk.taken[0], disk.taken.length]).toEqual([2, 10_000]);
});
