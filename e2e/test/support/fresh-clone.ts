import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { OPERATOR_TOKEN, temporaryFolder } from "./service-process.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface CloneOptions {
  /** User to run as; default: root. */
  readonly uid?: number;
  /** Mode of the folder with the clone. */
  readonly mode: number;
  /** Home of another clone, whose downloads npm reuses; this user becomes its owner. */
  readonly home?: string;
}

export interface FreshClone {
  /** `npm start` in its own process group; resolves when it is ready. */
  start(): Promise<{ url: string; group: ChildProcess }>;
  /** A copy after installation, with nothing stored yet, in a folder of another mode. */
  begunAnew(mode: number): Promise<FreshClone>;
  readonly home: string;
  readonly dataDir: string;
  remove(): Promise<void>;
}

/** A clone of the last commit with nothing installed, in its own folder. */
export const freshClone = async ({ uid, mode, ...shared }: CloneOptions): Promise<FreshClone> => {
  const folder = await temporaryFolder();
  const clone = join(folder.path, "curtail");
  const home = shared.home ?? join(folder.path, "home");
  await mkdir(home, { recursive: true });
  execFileSync("git", ["clone", "--quiet", "--no-hardlinks", root, clone]);
  if (uid !== undefined) {
    execFileSync("chown", ["-R", `${uid}:${uid}`, clone, home]);
    await chown(folder.path, uid, uid);
  }
  await chmod(folder.path, mode);
  const environment = {
    PATH: process.env["PATH"],
    HOME: home,
    CURTAIL_PORT: "0",
    CURTAIL_OPENADR_PORT: "0",
    CURTAIL_SANDBOX_PORT: "0",
    CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
  };
  const identity = uid === undefined ? {} : { uid, gid: uid };
  const fresh: FreshClone = {
    home,
    dataDir: join(clone, "data"),
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
    async begunAnew(next) {
      await rm(fresh.dataDir, { recursive: true });
      await chmod(folder.path, next);
      return fresh;
    },
    remove: folder.remove,
  };
  return fresh;
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
