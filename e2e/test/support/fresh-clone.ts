import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { OPERATOR_TOKEN, type TemporaryFolder, temporaryFolder } from "./service-process.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface CloneOptions {
  /** User to run as; default: root. */
  readonly uid?: number;
  /** Mode of the folder with the clone. */
  readonly mode: number;
}

export interface FreshClone {
  /** `npm start` in its own process group; resolves when it is ready. */
  start(): Promise<{ url: string; group: ChildProcess }>;
  /** As it is once it is installed, nothing stored yet, for another user or in a folder of another mode. */
  begunAnew(options: CloneOptions): Promise<FreshClone>;
  readonly dataDir: string;
  remove(): Promise<void>;
}

/** A clone of the last commit with nothing installed, in its own folder. */
export const freshClone = async (options: CloneOptions): Promise<FreshClone> => {
  const folder = await temporaryFolder();
  await mkdir(join(folder.path, "home"));
  execFileSync("git", ["clone", "--quiet", "--no-hardlinks", root, join(folder.path, "curtail")]);
  return cloneIn(folder, options);
};

const cloneIn = async (folder: TemporaryFolder, { uid, mode }: CloneOptions): Promise<FreshClone> => {
  const [clone, home] = [join(folder.path, "curtail"), join(folder.path, "home")];
  if (uid !== undefined) execFileSync("chown", ["-R", `${uid}:${uid}`, folder.path]);
  await chmod(folder.path, mode);
  const environment = {
    PATH: process.env["PATH"],
    HOME: home,
    CURTAIL_PORT: "0",
    CURTAIL_OPENADR_PORT: "0",
    CURTAIL_OPENADR3_PORT: "0",
    CURTAIL_SANDBOX_PORT: "0",
    CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
  };
  const identity = uid === undefined ? {} : { uid, gid: uid };
  const dataDir = join(clone, "data");
  return {
    dataDir,
    async start() {
      const group = spawn("npm", ["start"], {
        cwd: clone,
        env: environment,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
        ...identity,
      });
      return { url: await readyAddress(group), group };
    },
    async begunAnew(options) {
      await rm(dataDir, { recursive: true });
      return cloneIn(folder, options);
    },
    remove: folder.remove,
  };
};

const readyAddress = async (group: ChildProcess): Promise<string> => {
  let said = "";
  group.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  if (group.stdout === null) throw new Error("npm has no standard output");
  let url = "";
  for await (const line of createInterface({ input: group.stdout })) {
    url = /production REST.*?(http:\S+)/.exec(line)?.[1] ?? url;
    if (line === "curtail ready") return url;
  }
  throw new Error(`npm start ended before the service was ready:\n${said.slice(-3000)}`);
};

/** Sends a signal to npm and everything it started, and waits for the end. */
export const endGroup = async (group: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  const ended = once(group, "exit");
  if (group.pid !== undefined) process.kill(-group.pid, signal);
  await ended;
};
