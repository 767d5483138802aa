import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { participantClient } from "@curtail/client";
import { listDispatches, operator } from "@curtail/contract";
import { atEndOfUse } from "@curtail/testing/at-end";
import { beforeAll, expect, test, vi } from "vitest";
import { type Arrival, HookReceiver } from "./support/hook-receiver.js";
import { newParticipant, operate, type Participant } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import { postgresIn, startService } from "./support/process-group.js";
import { command, OPERATOR_TOKEN, type ServiceProcess, startProcess, underLoad } from "./support/service-process.js";
import { UploadLoad } from "./support/upload-load.js";
import { registerWebhook } from "./support/webhooks.js";

const EARLIER = { CURTAIL_EARLIER_VERSIONS: "2020-12-30" };
const SITES = 4;
const KEPT_BEFORE = 200;
/** Longer than the worker needs to send what it may. */
const QUIET_MS = 3000;
const SETTLED = { timeout: 30_000, interval: 100 };
const MINUTES_MS = 240_000;

/** A service, its backup under load, and what was true when the backup began. */
interface Story {
  readonly folder: string;
  readonly dataDir: string;
  readonly backup: string;
  readonly keyFile: string;
  readonly participant: Participant;
  readonly programId: string;
  readonly load: UploadLoad;
  readonly keptBefore: number;
  readonly dispatchId: string;
  /** Issued after the backup. */
  readonly laterId: string;
  readonly audit: readonly string[];
  readonly evidence: readonly unknown[];
  /** Of the sites, with their numbers in the earlier version of the interface. */
  readonly facilities: unknown;
}

const hooks = new HookReceiver({ failingShare: 0 });
let story: Story;

/** A command to its end. */
const run = async (args: readonly string[], settings: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env["PATH"], ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const code = child.exitCode ?? (await once(child, "exit"))[0];
  return { code, output, errors: errors.replaceAll(PROGRESS, "") };
};

/** A slow machine sees it. */
const PROGRESS = /^(?:backup|verify|restore): \d+ %\n/gm;

const issue = async (url: string, of: Pick<Story, "participant" | "programId">): Promise<string> => {
  const start_time = new Date(Date.now() + 3_600_000).toISOString();
  const sites = of.participant.sites.map(({ id }) => ({ site_id: id }));
  return (await operate(url, operator.createDispatch, { body: { program_id: of.programId, start_time, sites } })).id;
};

const arrivalsOf = (dispatchId: string): readonly Arrival[] =>
  hooks.arrivals.filter((arrival) => arrival.dispatchId === dispatchId);

const auditOf = async (url: string): Promise<string[]> =>
  (await operate(url, operator.listAudit, { query: { limit: 100 } })).items.map(({ id, action }) => `${id} ${action}`);

const evidenceOf = async (url: string, id: string): Promise<unknown[]> => {
  const { items } = await operate(url, operator.listEvidence, { params: { id }, query: { limit: 100 } });
  return items.filter(({ what }) => what === "delivered" || what === "attempt");
};

const facilitiesOf = async (url: string, { key }: Participant): Promise<unknown> => {
  const headers = { authorization: `Bearer ${key}` };
  return (await (await fetch(`${url}/2020-12-30/facilities`, { headers })).json()) as unknown;
};

beforeAll(async () => {
  const address = await hooks.listen();
  atEndOfUse(async () => hooks.close());
  const folder = await preparedFolder();
  atEndOfUse(() => folder.remove());
  const settings = { ...underLoad(folder.dataDir), ...EARLIER };
  const service = await startProcess(settings);
  const participant = await newParticipant(service.url, SITES);
  await registerWebhook(service.url, participant, `${address}/hook`);
  const program = { name: "Peak", timezone: "UTC", market: "", program_type: "capacity" as const };
  const { id: programId } = await operate(service.url, operator.createProgram, { body: program });
  const dispatchId = await issue(service.url, { participant, programId });
  await vi.waitUntil(() => arrivalsOf(dispatchId).some(({ accepted }) => accepted), SETTLED);
  await vi.waitUntil(async () => (await evidenceOf(service.url, dispatchId)).length === 2, SETTLED);
  const load = new UploadLoad(participant, 0);
  load.start(service.url);
  await vi.waitUntil(() => load.kept.length >= KEPT_BEFORE, SETTLED);

  const [backup, keyFile] = [join(folder.path, "curtail.backup"), join(folder.path, "backup.key")];
  const made = await run(["backup", "keygen", keyFile]);
  const recipient = /recipient: (\S+)/.exec(made.output)?.[1] ?? "";
  const [keptBefore, audit] = [load.kept.length, await auditOf(service.url)];
  const evidence = await evidenceOf(service.url, dispatchId);
  const facilities = await facilitiesOf(service.url, participant);
  const saved = await run(["backup", backup, "--recipient", recipient], settings);
  expect([saved.code, saved.errors]).toEqual([0, ""]);
  const keptAfter = load.kept.length;
  await vi.waitUntil(() => load.kept.length > keptAfter, SETTLED);
  const laterId = await issue(service.url, { participant, programId });
  await vi.waitUntil(() => arrivalsOf(laterId).length > 0, SETTLED);
  await load.stop();
  await service.end("SIGTERM");
  story = {
    folder: folder.path,
    dataDir: folder.dataDir,
    backup,
    keyFile,
    participant,
    programId,
    load,
    keptBefore,
    dispatchId,
    laterId,
    audit,
    evidence,
    facilities,
  };
}, MINUTES_MS);

const restored = async (name: string): Promise<string> => {
  const directory = join(story.folder, name);
  const { code, errors } = await run(["restore", story.backup, directory, "--key", story.keyFile]);
  expect([code, errors]).toEqual([0, ""]);
  return directory;
};

const sameFile = async (directory: string, name: string): Promise<void> =>
  expect(await readFile(join(directory, name), "utf8")).toBe(await readFile(join(story.dataDir, name), "utf8"));

const restarted = async (directory: string): Promise<ServiceProcess> => {
  const service = await startProcess({ ...underLoad(directory), ...EARLIER });
  atEndOfUse(async () => void (await service.end("SIGTERM")));
  return service;
};

test(
  "a backup made under load is restored with every reading answered before it began, and sends nothing until it is released",
  async () => {
    const { participant, programId, load, dispatchId, laterId } = story;
    const directory = await restored("restored");
    for (const name of ["secrets.key", "openadr/ca.key", "openadr/ca.crt"]) await sameFile(directory, name);
    const sentBefore = hooks.arrivals.length;
    const service = await restarted(directory);

    load.kept.splice(story.keptBefore);
    expect(load.kept.length).toBeGreaterThanOrEqual(KEPT_BEFORE);
    expect(await load.missing(service.url)).toEqual([]);
    expect((await auditOf(service.url)).slice(-story.audit.length)).toEqual(story.audit);
    expect(await evidenceOf(service.url, dispatchId)).toEqual(story.evidence);
    expect(await facilitiesOf(service.url, participant)).toEqual(story.facilities);

    const newId = await issue(service.url, { participant, programId });
    const listed = await participantClient({ url: service.url, key: participant.key }).call(listDispatches);
    const polled = listed.dispatches.map(({ id }) => id);
    expect([polled.includes(newId), polled.includes(dispatchId), polled.includes(laterId)]).toEqual([
      true,
      true,
      false,
    ]);
    await sleep(QUIET_MS);
    expect(hooks.arrivals).toHaveLength(sentBefore);
    const held = await operate(service.url, operator.getDeliveryHold);
    expect([held.held, held.waiting]).toEqual([true, 1]);
    const { items } = await operate(service.url, operator.listAlarms, { query: { state: "open" } });
    expect(items.map(({ kind }) => kind)).toContain("delivery_held");

    const admin = { CURTAIL_PUBLIC_URL: service.url, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN };
    expect((await run(["admin", "delivery-hold", "release"], admin)).code).toBe(0);
    await vi.waitUntil(() => arrivalsOf(newId).length > 0, SETTLED);
    await sleep(QUIET_MS);
    expect(hooks.arrivals.slice(sentBefore).map((arrival) => arrival.dispatchId)).toEqual([newId]);
    await vi.waitUntil(async () => {
      const open = await operate(service.url, operator.listAlarms, { query: { state: "open" } });
      return open.items.every(({ kind }) => kind !== "delivery_held");
    }, SETTLED);
  },
  MINUTES_MS,
);

test(
  "a restored directory serves by `npm start`, and a restore never writes over it",
  async () => {
    const directory = await restored("by-npm");
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
    if (!existsSync(directory)) await restored("killed");
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
