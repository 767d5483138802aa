import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { participantClient } from "@curtail/client";
import { listDispatches, operator } from "@curtail/contract";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import {
  arrivalsOf,
  auditOf,
  type BackupStory,
  backupStory,
  issue,
  MINUTES_MS,
  restarted,
  restored,
  run,
  SETTLED,
} from "./support/backup-story.js";
import { operate } from "./support/participant.js";
import { postgresIn, startService } from "./support/process-group.js";
import { command, OPERATOR_TOKEN } from "./support/service-process.js";

let story: BackupStory;
beforeAll(async () => {
  story = await backupStory();
}, MINUTES_MS);

test(
  "a restored directory serves by `npm start`, and a restore never writes over it",
  async () => {
    const directory = await restored(story, "by-npm");
    const service = startService("npm start", { CURTAIL_DATA_DIR: directory, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN });
    await service.said(/curtail ready/);
    service.signalAll("SIGTERM");
    expect(await service.ended()).toBe("exit 0");
    const again = await run(["restore", story.backup, directory, "--key", story.keyFile]);
    expect([again.code, again.errors]).toEqual([
      1,
      expect.stringContaining("is not empty, and a restore never writes"),
    ]);
  },
  MINUTES_MS,
);

/** Longer than the worker needs to send what it may. */
const QUIET_MS = 3000;

test(
  "a restored service has what was issued before the backup, and sends nothing until it is released",
  async () => {
    const { participant, programId, dispatchId, laterId } = story;
    const sentBefore = story.arrivals.length;
    const service = await restarted(await restored(story, "held"));
    const newId = await issue(service.url, { participant, programId });
    const listed = await participantClient({ url: service.url, key: participant.key }).call(listDispatches);
    const polled = listed.dispatches.map(({ id }) => id);
    expect([polled.includes(newId), polled.includes(dispatchId), polled.includes(laterId)]).toEqual([
      true,
      true,
      false,
    ]);
    await sleep(QUIET_MS);
    expect(story.arrivals).toHaveLength(sentBefore);
    const held = await operate(service.url, operator.getDeliveryHold);
    expect([held.held, held.waiting]).toEqual([true, 1]);
    const { items } = await operate(service.url, operator.listAlarms, { query: { state: "open" } });
    expect(items.map(({ kind }) => kind)).toContain("delivery_held");

    const admin = { CURTAIL_PUBLIC_URL: service.url, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN };
    expect((await run(["admin", "delivery-hold", "release"], admin)).code).toBe(0);
    await vi.waitUntil(() => arrivalsOf(story, newId).length > 0, SETTLED);
    await sleep(QUIET_MS);
    expect(story.arrivals.slice(sentBefore).map((arrival) => arrival.dispatchId)).toEqual([newId]);
    await vi.waitUntil(async () => {
      const open = await operate(service.url, operator.listAlarms, { query: { state: "open" } });
      return open.items.every(({ kind }) => kind !== "delivery_held");
    }, SETTLED);
  },
  MINUTES_MS,
);

test(
  "a good backup is verified, and nothing of that is left",
  async () => {
    const scratch = join(story.folder, "scratch");
    const { code, output, errors } = await run(["backup", "verify", story.backup, "--key", story.keyFile], {
      TMPDIR: story.folder,
    });
    expect([code, errors]).toEqual([0, ""]);
    expect(output).toMatch(/is good: \d+ rows in \d+ parts/);
    expect(output).toContain("newest of public.audit_log");
    expect(existsSync(scratch)).toBe(false);
    expect((await readdir(story.folder)).filter((name) => name.startsWith("curtail-verify"))).toEqual([]);
  },
  MINUTES_MS,
);

/** A folder with little room; null where this user may mount none. */
const smallFolder = async (): Promise<string | null> => {
  const folder = join(story.folder, "small");
  await mkdir(folder);
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=20m", "tmpfs", folder]);
  if (status !== 0) return null;
  onTestFinished(() => void spawnSync("umount", [folder]));
  return folder;
};

test(
  "a verification for which there is no room is refused, and goes on where it is forced, wherever --force stands (needs to be root)",
  async ({ skip }) => {
    const small = await smallFolder();
    if (small === null) return skip("this user may not mount a small folder");
    const verify = async (...args: readonly string[]) => (await run([...args, story.backup], { TMPDIR: small })).errors;
    expect(await verify("backup", "verify", "--key", story.keyFile)).toMatch(/Make room, .*--force/);
    expect(await verify("backup", "verify", "--force", "--key", story.keyFile)).not.toContain("Make room");
    expect(await verify("backup", "--force", "verify", "--key", story.keyFile)).not.toContain("Make room");
  },
  MINUTES_MS,
);

/** A verification under a signal, once its database runs; returns its exit and what it left. */
const signalled = async (signal: "SIGINT" | "SIGKILL") => {
  const scratch = join(story.folder, `scratch-${signal}`);
  await mkdir(scratch);
  const child = spawn(process.execPath, [command, "backup", "verify", story.backup, "--key", story.keyFile], {
    env: { PATH: process.env["PATH"], TMPDIR: scratch },
    stdio: "ignore",
  });
  const exit = once(child, "exit");
  const left = async () => (await readdir(scratch)).filter((name) => name.startsWith("curtail-verify"));
  const databases = async () => {
    const folders = (await left()).map((name) => join(scratch, name, "data"));
    return (await Promise.all(folders.map((each) => postgresIn(each).catch(() => [])))).flat();
  };
  await vi.waitUntil(async () => (await databases()).length > 0, SETTLED);
  child.kill(signal);
  const [code, by] = await exit;
  return { scratch, ended: code ?? by, left, databases };
};

test(
  "a verification that is interrupted leaves neither data nor a database",
  async () => {
    const { ended, left, databases } = await signalled("SIGINT");
    expect([ended, await left(), await databases()]).toEqual([1, [], []]);
  },
  MINUTES_MS,
);

test(
  "what a killed verification left is removed by the next one, with the database that still runs there",
  async () => {
    const { scratch, ended, left, databases } = await signalled("SIGKILL");
    expect([ended, (await left()).length]).toEqual(["SIGKILL", 1]);
    const args = ["backup", "verify", story.backup, "--key", story.keyFile];
    expect((await run(args, { TMPDIR: scratch })).code).toBe(0);
    expect([await left(), await databases()]).toEqual([[], []]);
  },
  MINUTES_MS,
);

test(
  "a file cut short, a changed byte, and another key are each refused by name, and nothing is restored",
  async () => {
    const bytes = await readFile(story.backup);
    const [cut, changed, other] = ["cut.backup", "changed.backup", "other.key"].map((name) => join(story.folder, name));
    await writeFile(cut ?? "", bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    const damaged = Buffer.from(bytes);
    damaged[Math.floor(bytes.length * 0.6)] = (damaged[Math.floor(bytes.length * 0.6)] ?? 0) ^ 1;
    await writeFile(changed ?? "", damaged);
    await run(["backup", "keygen", other ?? ""]);
    const target = join(story.folder, "refused");
    const refused = async (file: string, key: string) => {
      const { code, errors } = await run(["restore", file, target, "--key", key]);
      return `${code} ${errors}`;
    };
    expect(await refused(cut ?? "", story.keyFile)).toMatch(/^1 .*The backup is cut short/s);
    expect(await refused(changed ?? "", story.keyFile)).toMatch(/^1 .*was changed after it was written/s);
    expect(await refused(story.backup, other ?? "")).toMatch(/^1 .*The key is not that of a recipient/s);
    expect(await refused(story.keyFile, story.keyFile)).toMatch(/^1 .*is not a backup of Curtail/s);
    expect((await readdir(story.folder)).filter((name) => name.includes("refused"))).toEqual([]);
  },
  MINUTES_MS,
);

test(
  "a restore that is killed leaves no directory, and the next one makes a whole one",
  async () => {
    const directory = join(story.folder, "killed");
    for (const waitMs of [300, 900, 1800, 3000]) {
      const child = spawn(process.execPath, [command, "restore", story.backup, directory, "--key", story.keyFile], {
        env: { PATH: process.env["PATH"] },
        stdio: "ignore",
      });
      await sleep(waitMs);
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      if (existsSync(directory)) break;
    }
    if (!existsSync(directory)) await restored(story, "killed");
    expect((await readdir(story.folder)).filter((name) => name.includes("restoring"))).toEqual([]);
    const service = await restarted(directory);
    expect(await auditOf(service.url)).toEqual(expect.arrayContaining([...story.audit]));
  },
  MINUTES_MS,
);

test(
  "a backup without a recipient is refused, and without keys it says what that means",
  async () => {
    const file = join(story.folder, "open.backup");
    const settings = { CURTAIL_DATA_DIR: story.dataDir };
    const refused = await run(["backup", file], settings);
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("name its recipient with --recipient")]);
    const open = await run(["backup", file, "--no-keys"], settings);
    expect([open.code, open.output]).toEqual([
      0,
      expect.stringContaining("neither the secrets key nor the certificate"),
    ]);
    const again = await run(["backup", file, "--no-keys"], settings);
    expect([again.code, again.errors]).toEqual([1, expect.stringContaining("a backup is never written over")]);
    const directory = join(story.folder, "open");
    expect((await run(["restore", file, directory])).code).toBe(0);
    expect((await readdir(directory)).includes("secrets.key")).toBe(false);
  },
  MINUTES_MS,
);
