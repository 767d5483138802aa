import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { operator } from "@curtail/contract";
import { atEndOfUse } from "@curtail/testing/at-end";
import { expect, vi } from "vitest";
import { type Arrival, HookReceiver } from "./hook-receiver.js";
import { newParticipant, newProgram, operate, type Participant } from "./participant.js";
import { preparedFolder } from "./prepared-data.js";
import { command, type ServiceProcess, startProcess, underLoad } from "./service-process.js";
import { UploadLoad } from "./upload-load.js";
import { registerWebhook } from "./webhooks.js";

const EARLIER = { CURTAIL_EARLIER_VERSIONS: "2020-12-30" };
const SITES = 4;
export const KEPT_BEFORE = 200;
/** Some hundred uploads a second are under way for as long as the backup takes. */
const PAUSE_MS = 20;
export const SETTLED = { timeout: 30_000, interval: 100 };
export const MINUTES_MS = 240_000;

/** A service, its backup under load, and what was true when the backup began. */
export interface BackupStory {
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
  /** Everything that the webhook received. */
  readonly arrivals: readonly Arrival[];
}

/** A command to its end. */
export const run = async (args: readonly string[], settings: Readonly<Record<string, string>> = {}) => {
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

/** A dispatch of all sites in an hour; returns its id. */
export const issue = async (url: string, of: Pick<BackupStory, "participant" | "programId">): Promise<string> => {
  const start_time = new Date(Date.now() + 3_600_000).toISOString();
  const sites = of.participant.sites.map(({ id }) => ({ site_id: id }));
  return (await operate(url, operator.createDispatch, { body: { program_id: of.programId, start_time, sites } })).id;
};

export const arrivalsOf = ({ arrivals }: Pick<BackupStory, "arrivals">, dispatchId: string): readonly Arrival[] =>
  arrivals.filter((arrival) => arrival.dispatchId === dispatchId);

export const auditOf = async (url: string): Promise<string[]> =>
  (await operate(url, operator.listAudit, { query: { limit: 100 } })).items.map(({ id, action }) => `${id} ${action}`);

export const evidenceOf = async (url: string, id: string): Promise<unknown[]> => {
  const { items } = await operate(url, operator.listEvidence, { params: { id }, query: { limit: 100 } });
  return items.filter(({ what }) => what === "delivered" || what === "attempt");
};

export const facilitiesOf = async (url: string, { key }: Participant): Promise<unknown> => {
  const headers = { authorization: `Bearer ${key}` };
  return (await (await fetch(`${url}/2020-12-30/facilities`, { headers })).json()) as unknown;
};

/** A service under load, of which a backup is made; what is left of it ends with the test file. */
export const backupStory = async (): Promise<BackupStory> => {
  const hooks = new HookReceiver({ failingShare: 0 });
  const address = await hooks.listen();
  atEndOfUse(async () => hooks.close());
  const folder = await preparedFolder("memory");
  atEndOfUse(() => folder.remove());
  const settings = { ...underLoad(folder.dataDir), ...EARLIER };
  const service = await startProcess(settings);
  const participant = await newParticipant(service.url, SITES);
  await registerWebhook(service.url, participant, `${address}/hook`);
  const programId = await newProgram(service.url);
  const dispatchId = await issue(service.url, { participant, programId });
  await vi.waitUntil(() => arrivalsOf(hooks, dispatchId).some(({ accepted }) => accepted), SETTLED);
  await vi.waitUntil(async () => (await evidenceOf(service.url, dispatchId)).length === 2, SETTLED);
  const load = new UploadLoad(participant, 0, PAUSE_MS);
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
  await vi.waitUntil(() => arrivalsOf(hooks, laterId).length > 0, SETTLED);
  await load.stop();
  await service.end("SIGTERM");
  return {
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
    arrivals: hooks.arrivals,
  };
};

/** Restores the backup into a directory of this name. */
export const restored = async (story: BackupStory, name: string): Promise<string> => {
  const directory = join(story.folder, name);
  const { code, errors } = await run(["restore", story.backup, directory, "--key", story.keyFile]);
  expect([code, errors]).toEqual([0, ""]);
  return directory;
};

/** A service on a restored directory, which ends with the test file. */
export const restarted = async (directory: string): Promise<ServiceProcess> => {
  const service = await startProcess({ ...underLoad(directory), ...EARLIER });
  atEndOfUse(async () => void (await service.end("SIGTERM")));
  return service;
};
