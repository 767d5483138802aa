import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { checkedReplies } from "@curtail/testing/child-replies";

export const command = fileURLToPath(new URL("../../../packages/server/curtail.mjs", import.meta.url));
export const OPERATOR_TOKEN = "operator-token-of-the-tests";

/** Settings of a service under heavy uploads, with a known operator token. */
export const underLoad = (dataDir: string) => ({
  CURTAIL_DATA_DIR: dataDir,
  CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
  CURTAIL_RATE_LIMIT: "1000000",
});

/** Opening more takes longer than waiting for these. */
const FEW_CONNECTIONS = { CURTAIL_DATABASE_CONNECTIONS: "6" };

const OVERDUE_MS = 60_000;

/** `curtail serve` as a process, on free ports. */
export interface ServiceProcess {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly pid: number;
  readonly lines: readonly string[];
  /** Its output on standard error. */
  readonly log: () => string;
  /** Sends a signal and waits for the end; returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Waits until it ends on its own; returns the signal that ended it. */
  ended(): Promise<NodeJS.Signals | null>;
}

export const startProcess = async (
  settings: Readonly<Record<string, string>>,
  /** The command of another version, instead of this one's. */
  of = command,
): Promise<ServiceProcess> => {
  const child = spawn(process.execPath, [of, "serve"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      CURTAIL_PORT: "0",
      CURTAIL_SANDBOX_PORT: "0",
      CURTAIL_OPENADR_PORT: "0",
      // Another version has its own contract and settings.
      ...(of === command ? { CURTAIL_OPENADR3_PORT: "0", ...FEW_CONNECTIONS, ...checkedReplies } : {}),
      ...settings,
    },
  });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const lines = await untilReady(child, () => log);
  const [url = "", sandboxUrl = ""] = lines.flatMap((line) => /http:\/\/\S+/.exec(line) ?? []);
  return {
    url,
    sandboxUrl,
    pid: child.pid ?? 0,
    lines,
    log: () => log,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill(signal);
      // A service that does not end would keep the tests from ending, too; the exit code is then null.
      const overdue = setTimeout(() => child.kill("SIGKILL"), OVERDUE_MS);
      await once(child, "exit");
      clearTimeout(overdue);
      return child.exitCode;
    },
    async ended() {
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      return child.signalCode;
    },
  };
};

const untilReady = async (child: ChildProcess, log: () => string): Promise<string[]> => {
  if (child.stdout === null) throw new Error("the service has no standard output");
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line === "curtail ready") return lines;
  }
  throw new Error(`the service ended before it was ready:\n${log()}`);
};

/** A folder for one test; `remove` deletes it with what PostgreSQL left in it. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

export const temporaryFolder = async (within = tmpdir()): Promise<TemporaryFolder> => {
  const path = await mkdtemp(join(within, "curtail-e2e-"));
  // The database of a service that was killed writes until it has noticed.
  const retried = { maxRetries: 20, retryDelay: 100 };
  return { path, remove: () => rm(path, { recursive: true, force: true, ...retried }) };
};

/** Process id of the PostgreSQL that serves a data directory. */
export const postmasterPid = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
