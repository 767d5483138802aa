import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { listDispatches, uploadControllableLoad } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { receiver } from "@curtail/testing/receiver";
import { expect, test } from "vitest";
import type { Statfs } from "../../../src/platform/database/disk-watch.js";
import { alarmsAbout, untilAlarms } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { firstOf, kwReading, upload } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { subscribe } from "../../support/unreachable.js";

// Before the disk of the data directory is full, uploads are refused; everything else continues.
const sendOne = (service: Running, participant: Participant) =>
  upload(participant, [kwReading(firstOf(participant).meterId, ahead(service, {}), 5)]);

const load = (service: Running, participant: Participant) =>
  participant.call(uploadControllableLoad, {
    body: {
      controllable_load: [
        {
          interval_seconds: 60,
          site_id: firstOf(participant).siteId,
          timestamp: ahead(service, {}),
          units: "kW",
          value: 1,
        },
      ],
    },
  });

const freeBytes = async (service: Running): Promise<number> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^curtail_disk_free_bytes (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
};

/** Waits until the service has read the space again. */
const untilFree = (service: Running, bytes: number) => expect.poll(() => freeBytes(service)).toBe(bytes);

/** The same, judged by the status of uploads. */
const untilUpload = (service: Running, participant: Participant, status: number) =>
  expect.poll(async () => (await sendOne(service, participant)).status).toBe(status);

test("a disk with less than 5 % or a gigabyte free takes no uploads, while dispatches and notices go on", async () => {
  // 10 GB in blocks of a kilobyte: 5 % are 500 MB, and the alarm comes at 1.5 GB.
  let bavail = 5_000_000;
  const statfs: Statfs = async () => ({ bavail, blocks: 10_000_000, bsize: 1000 });
  const service = await running({}, { statfs });
  const anna = await service.newParticipant();
  const hook = await receiver();
  await subscribe(anna, hook);
  const low = { kind: "disk_low", id: service.dataDir };
  await untilUpload(service, anna, 200);
  expect(await freeBytes(service)).toBe(5_000_000_000);
  expect(await alarmsAbout(service, low)).toEqual([]);

  bavail = 1_499_999;
  await untilFree(service, 1_499_999_000);
  const [alarm] = await untilAlarms(service, low, 1);
  expect(alarm?.message).toMatch(/1499 of 10000 MB free\)\. Below 500 MB, uploads are refused; dispatches/);
  await untilUpload(service, anna, 200);

  bavail = 499_999;
  await untilUpload(service, anna, 500);
  expectError(await sendOne(service, anna), 500, /internal error; no partial change was made/);
  expectError(await load(service, anna), 500);
  await newDispatch(service, await newProgram(service, [anna]));
  await hook.notices(1);
  expect((await anna.call(listDispatches)).body.dispatches).toHaveLength(1);

  bavail = 5_000_000;
  await untilUpload(service, anna, 200);
  expect((await load(service, anna)).status).toBe(200);
  await untilAlarms(service, low, 0);
}, 30_000);

const unreadable: Statfs = () => Promise.reject(new Error("no such directory"));
const full: Statfs = async () => ({ bavail: 0, blocks: 100, bsize: 1000 });

test("an unreadable disk, or a database elsewhere, refuses nothing", async () => {
  const unknown = await running({}, { statfs: unreadable });
  expect((await sendOne(unknown, await unknown.newParticipant())).status).toBe(200);
  expect(await freeBytes(unknown)).toBeNaN();
  const elsewhere = await running({ DATABASE_URL: "postgres://given.by.the.test/db" }, { statfs: full });
  expect((await sendOne(elsewhere, await elsewhere.newParticipant())).status).toBe(200);
  expect(await freeBytes(elsewhere)).toBeNaN();
});

const run = promisify(execFile);

/** A separate small disk; null if this user may not mount one. */
const smallDisk = async (): Promise<string | null> => {
  const directory = await mkdtemp(join(tmpdir(), "curtail-disk-"));
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", directory]);
  } catch {
    await rm(directory, { recursive: true });
    return null;
  }
  atEnd(async () => {
    await run("umount", ["-l", directory]);
    await rm(directory, { recursive: true });
  });
  return directory;
};

test("a real disk that fills up is noticed, and that it has room again", async (context) => {
  const directory = await smallDisk();
  if (directory === null) return context.skip("needs the right to mount a tmpfs");
  const service = await running({ CURTAIL_DATA_DIR: directory });
  const anna = await service.newParticipant();
  await untilUpload(service, anna, 200);
  await writeFile(join(directory, "filler"), Buffer.alloc(15.5 * 1024 * 1024));
  await untilUpload(service, anna, 500);
  await rm(join(directory, "filler"));
  await untilUpload(service, anna, 200);
}, 30_000);
