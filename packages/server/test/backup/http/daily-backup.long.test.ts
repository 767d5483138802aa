import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import { holdDelivery } from "../../../src/backup/storage/delivery-hold.js";
import { newBackupKey } from "../../../src/platform/backup-keys.js";
import { alarmsAbout, untilAlarms } from "../../support/alarms.js";
import { cloneDatabase } from "../../support/database.js";
import { type Running, running } from "../../support/running.js";

const PATIENCE = { timeout: 20_000, interval: 100 };

/** More than a worker needs to find that a backup is due. */
const LOOKS_MS = 1500;

const settingsIn = async (name: string): Promise<Record<string, string>> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-daily-"));
  atEnd(() => rm(folder, { recursive: true }));
  return {
    CURTAIL_BACKUP_DIRECTORY: join(folder, name),
    CURTAIL_BACKUP_AT: "02:30",
    CURTAIL_BACKUP_KEEP: "2",
    CURTAIL_BACKUP_RECIPIENTS: newBackupKey().recipient,
  };
};

const backupsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".backup")).sort();

/** What alarms say of a directory five seconds later: a look at them may come before what it is to see. */
const messagesLater = (on: Running, directory: string) => async (): Promise<string[]> => {
  on.clock.advance({ seconds: 5 });
  return (await alarmsAbout(on, { kind: "backup_missing", id: directory })).map(({ message }) => message);
};

test("a backup is made at the first start and once a day, and those that are too old are deleted", async () => {
  const settings = await settingsIn("backups");
  const folder = settings["CURTAIL_BACKUP_DIRECTORY"] ?? "";
  const startsAt = new Date("2026-03-01T12:00:00Z");
  const service = await running(settings, { startsAt });
  await expect.poll(() => backupsIn(folder), PATIENCE).toEqual(["curtail-2026-03-01T120000Z.backup"]);
  service.clock.set(new Date("2026-03-02T02:29:00Z"));
  service.clock.set(new Date("2026-03-02T02:31:00Z"));
  await expect.poll(async () => (await backupsIn(folder)).length, PATIENCE).toBe(2);
  service.clock.set(new Date("2026-03-03T02:31:00Z"));
  await expect.poll(async () => (await backupsIn(folder)).length, PATIENCE).toBe(3);
  service.clock.set(new Date("2026-03-04T13:00:00Z"));
  await expect
    .poll(async () => (await backupsIn(folder)).map((name) => name.slice(8, 18)), PATIENCE)
    .toEqual(["2026-03-03", "2026-03-04"]);
  await untilAlarms(service, { kind: "backup_missing", id: folder }, 0);
}, 60_000);

test("a daily backup that cannot be written raises an alarm, which ends with the next one that is made", async () => {
  const settings = await settingsIn("file");
  const folder = settings["CURTAIL_BACKUP_DIRECTORY"] ?? "";
  await writeFile(folder, "in the way");
  const service = await running(settings, { startsAt: new Date("2026-03-01T12:00:00Z") });
  await expect
    .poll(messagesLater(service, folder), PATIENCE)
    .toEqual([expect.stringContaining("The daily backup failed: EEXIST")]);
  await rm(folder);
  service.clock.advance({ hours: 1, minutes: 1 });
  await expect.poll(async () => (await backupsIn(folder)).length, PATIENCE).toBe(1);
  await expect.poll(messagesLater(service, folder), PATIENCE).toEqual([]);
}, 60_000);

test("an old backup that cannot be deleted neither keeps the others nor makes a new one each hour", async () => {
  const settings = await settingsIn("backups");
  const folder = settings["CURTAIL_BACKUP_DIRECTORY"] ?? "";
  const [locked, old, made] = ["02-02", "02-01", "03-01"].map((day) => `curtail-2026-${day}T120000Z.backup`);
  await mkdir(join(folder, locked ?? "", "in the way"), { recursive: true });
  await writeFile(join(folder, old ?? ""), "old");
  const service = await running(settings, { startsAt: new Date("2026-03-01T12:00:00Z") });
  await expect.poll(() => backupsIn(folder), PATIENCE).toEqual([locked, made]);
  service.clock.advance({ hours: 1, minutes: 1 });
  await sleep(LOOKS_MS);
  expect(await backupsIn(folder)).toEqual([locked, made]);
  expect(await alarmsAbout(service, { kind: "backup_missing", id: folder })).toEqual([]);
}, 60_000);

test("a restored service makes no daily backup, and deletes none, until delivery is released", async () => {
  const settings = await settingsIn("backups");
  const folder = settings["CURTAIL_BACKUP_DIRECTORY"] ?? "";
  const startsAt = new Date("2026-03-01T12:00:00Z");
  const names = ["02-01", "02-02", "03-01"].map((day) => `curtail-2026-${day}T120000Z.backup`);
  await mkdir(folder);
  for (const name of names.slice(0, 2)) await writeFile(join(folder, name), "of the service before");
  const held = await cloneDatabase();
  await holdDelivery(held.pool, { heldAt: startsAt, backupAt: startsAt });
  const service = await running(settings, { startsAt, database: held });
  await sleep(LOOKS_MS);
  expect(await backupsIn(folder)).toEqual(names.slice(0, 2));
  await service.made(operator.releaseDelivery);
  await expect.poll(() => backupsIn(folder), PATIENCE).toEqual(names.slice(2));
}, 60_000);

test("of processes with different settings one makes the backups, and the alarm is about its directory alone", async () => {
  const key = { CURTAIL_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64") };
  const [first, second] = [
    { ...(await settingsIn("file")), ...key },
    { ...(await settingsIn("backups")), ...key },
  ];
  const [broken, other] = [first, second].map(
    (settings) => settings["CURTAIL_BACKUP_DIRECTORY" as keyof typeof settings],
  );
  await writeFile(broken ?? "", "in the way");
  const database = await cloneDatabase();
  const startsAt = new Date("2026-03-01T12:00:00Z");
  const maker = await running(first, { startsAt, database });
  const about = { kind: "backup_missing", id: broken ?? "" };
  await expect.poll(messagesLater(maker, broken ?? ""), PATIENCE).toHaveLength(1);
  const shared = { ...database, drop: async () => {} };
  const neighbours = [
    await running(second, { startsAt, database: shared }),
    await running(key, { startsAt, database: shared }),
  ];
  const openedAt = async () => (await alarmsAbout(maker, about)).map(({ raised_at }) => raised_at);
  const opened = await openedAt();
  for (let look = 0; look < 6; look++) {
    for (const each of [maker, ...neighbours]) each.clock.advance({ seconds: 6 });
    await sleep(LOOKS_MS / 3);
    expect(await openedAt()).toEqual(opened);
  }
  expect(await backupsIn(other ?? "")).toEqual([]);
  // The one without the setting sees the alarm of the other; another with the setting takes over.
  await maker.stop();
  for (const each of neighbours) each.clock.advance({ hours: 2 });
  await expect.poll(async () => (await backupsIn(other ?? "")).length, PATIENCE).toBe(1);
}, 60_000);

test("the alarm stays open when the only process that makes backups ends, until a process with the setting off ends them", async () => {
  const key = { CURTAIL_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64") };
  const settings = { ...(await settingsIn("backups")), ...key };
  const folder = settings["CURTAIL_BACKUP_DIRECTORY" as keyof typeof settings] ?? "";
  const database = await cloneDatabase();
  const shared = { ...database, drop: async () => {} };
  const startsAt = new Date("2026-03-01T12:00:00Z");
  const maker = await running(settings, { startsAt, database });
  await expect.poll(async () => (await backupsIn(folder)).length, PATIENCE).toBe(1);
  const without = await running(key, { startsAt, database: shared });
  await maker.stop();
  without.clock.advance({ hours: 37 });
  const about = { kind: "backup_missing", id: folder };
  const [alarm] = await untilAlarms(without, about, 1);
  expect(alarm?.message).toContain("No daily backup was made for 36 hours");
  const off = await running(
    { ...key, CURTAIL_BACKUP_DIRECTORY: "off" },
    { startsAt: without.clock.now(), database: shared },
  );
  // The other process may be at a look of its own.
  const standing = async (): Promise<number> => {
    off.clock.advance({ seconds: 5 });
    return (await alarmsAbout(off, about)).length;
  };
  await expect.poll(standing, PATIENCE).toBe(0);
  expect((await backupsIn(folder)).length).toBe(1);
}, 60_000);

test("a daily backup that may not fit is made all the same", async () => {
  const settings = await settingsIn("backups");
  const folder = settings["CURTAIL_BACKUP_DIRECTORY"] ?? "";
  await mkdir(folder);
  const before = join(folder, "curtail-2026-02-28T120000Z.backup");
  await writeFile(before, "");
  // More than any disk has; it takes none.
  await truncate(before, 2 ** 43);
  await running(settings, { startsAt: new Date("2026-03-01T12:00:00Z") });
  await expect.poll(async () => (await backupsIn(folder)).length, PATIENCE).toBe(2);
}, 60_000);
