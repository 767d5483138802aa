import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { checkedReplies } from "@curtail/testing/child-replies";
import { command } from "./service-process.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const OVERDUE_MS = 90_000;

/** How the service is started: by Node itself, or as people do. */
export type Launcher = "node" | "npm start";

/** Added to the usual ones; undefined removes one of those. */
type Settings = Readonly<Record<string, string | undefined>>;

/** A command in its own process group, as a terminal starts it. */
export interface ProcessGroup {
  readonly lines: readonly string[];
  readonly log: () => string;
  /** The process that was started: npm, or the service itself. */
  readonly leader: ChildProcess;
  /** Signals everything in the group, as Ctrl-C does in a terminal. */
  signalAll(signal: NodeJS.Signals): void;
  hasEnded(): boolean;
  /** Waits for the end of the leader; returns `exit N`, or the signal that ended it. */
  ended(): Promise<string>;
  /** Resolves to the first line that matches. */
  said(line: RegExp): Promise<string>;
}

export const startService = (launcher: Launcher, settings: Settings): ProcessGroup =>
  launcher === "node"
    ? startGroup(process.execPath, [command, "serve"], settings)
    : startGroup("npm", ["start"], settings);

/** For the demo, which creates the settings of its service itself. */
export const noSettings: Settings = {
  CURTAIL_PORT: undefined,
  CURTAIL_SANDBOX_PORT: undefined,
  CURTAIL_OPENADR_PORT: undefined,
  CURTAIL_OPENADR3_PORT: undefined,
};

export const startGroup = (file: string, args: readonly string[], settings: Settings): ProcessGroup => {
  const leader = spawn(file, args, {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      CURTAIL_PORT: "0",
      CURTAIL_SANDBOX_PORT: "0",
      CURTAIL_OPENADR_PORT: "0",
      CURTAIL_OPENADR3_PORT: "0",
      CHECKOUT_IS_READY: "1",
      ...checkedReplies,
      ...settings,
    },
  });
  let log = "";
  leader.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const lines: string[] = [];
  const reader = createInterface({ input: leader.stdout }).on("line", (line) => lines.push(line));
  const hasEnded = (): boolean => leader.exitCode !== null || leader.signalCode !== null;
  return {
    lines,
    log: () => log,
    leader,
    signalAll: (signal) => void process.kill(-(leader.pid ?? 0), signal),
    hasEnded,
    async ended() {
      const overdue = setTimeout(() => process.kill(-(leader.pid ?? 0), "SIGKILL"), OVERDUE_MS);
      if (!hasEnded()) await once(leader, "exit");
      clearTimeout(overdue);
      return leader.signalCode ?? `exit ${leader.exitCode}`;
    },
    said: (wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.find((line) => wanted.test(line));
          if (found !== undefined) resolve(found);
        };
        reader.on("line", look);
        reader.once("close", () =>
          reject(new Error(`the process ended before it said ${wanted}:\n${lines.join("\n")}\n${log}`)),
        );
        look();
      }),
  };
};

/** PostgreSQL processes that work in a directory or below it. */
export const postgresIn = async (dataDir: string): Promise<number[]> => {
  const folders = new Set<string>();
  for (const name of await readdir(dataDir)) {
    if (name.startsWith("postgres")) folders.add(await identityOf(`${dataDir}/${name}`));
  }
  const pids: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const isPostgres = (await readFile(`/proc/${name}/comm`, "utf8").catch(() => "")).startsWith("postgres");
    if (isPostgres && folders.has(await identityOf(`/proc/${name}/cwd`))) pids.push(Number(name));
  }
  return pids;
};

/** The process may see the directory under another path. */
const identityOf = async (path: string): Promise<string> => {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? "none" : `${found.dev}:${found.ino}`;
};
