import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { atEnd } from "@curtail/testing/at-end";
import { temporaryFolder } from "../service-process.js";

const hasValgrind = spawnSync("valgrind", ["--version"]).error === undefined;

/** What counting needs and is not there. Other processors have other instructions. */
export const missing = [...(hasValgrind ? [] : ["valgrind"]), ...(process.arch === "x64" ? [] : ["x86-64"])];

/** One thread interprets code and collects garbage: the moment at which V8 compiles code differs. */
const INTERPRETED = ["--no-opt", "--no-maglev", "--no-sparkplug", "--single-threaded", "--predictable"];
/** Each process has the same hashes. A small young generation is collected in each round. */
const ALIKE = ["--hash-seed=1", "--random-seed=1", "--min-semi-space-size=1", "--max-semi-space-size=1"];
const quiet = fileURLToPath(new URL("quiet.mjs", import.meta.url));
const asks = promisify(execFile);

/** A process under Callgrind. Counting before `begin` would make its start several times as slow. */
export interface CountedProcess {
  /** What it printed until it was ready. */
  readonly lines: readonly string[];
  begin(): Promise<void>;
  /** Instructions so far, of all threads. */
  count(): Promise<number>;
  /** Sends a message and waits for the answer. */
  order(message: object): Promise<void>;
}

/**
 * Starts a script of Node; it ends with the test file.
 *
 * @param ready the line that it prints when it has started
 */
export const startCounted = async (
  script: readonly string[],
  { env, ready }: { readonly env?: Readonly<Record<string, string>>; readonly ready: string },
): Promise<CountedProcess> => {
  const folder = await temporaryFolder();
  atEnd(() => folder.remove());
  const pipes = `--vgdb-prefix=${join(folder.path, "pipe")}`;
  const counts = `--callgrind-out-file=${join(folder.path, "counts")}`;
  const counting = ["--tool=callgrind", "--instr-atstart=no", counts, pipes];
  const node = [process.execPath, ...INTERPRETED, ...ALIKE, "--import", quiet];
  const child = spawn("valgrind", [...counting, ...node, ...script], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { PATH: process.env["PATH"], ...env },
  });
  atEnd(() => ended(child));
  const lines = await untilReady(child, ready);
  const monitor = async (...command: readonly string[]): Promise<string> =>
    (await asks("vgdb", [pipes, `--pid=${child.pid}`, ...command])).stdout;
  return {
    lines,
    begin: async () => void (await monitor("instrumentation", "on")),
    count: async () => instructionsIn(await monitor("status", "internal")),
    async order(message) {
      child.send(message);
      await once(child, "message");
    },
  };
};

/** A line for each thread. */
const instructionsIn = (status: string): number => {
  const threads = [...status.matchAll(/^events-\d+: (\d+)$/gm)];
  if (threads.length === 0) throw new Error(`no instructions in: ${status}`);
  return threads.reduce((sum, [, count]) => sum + Number(count), 0);
};

const untilReady = async (child: ChildProcess, ready: string): Promise<string[]> => {
  let log = "";
  child.stderr?.on("data", (chunk: Buffer) => (log += chunk.toString()));
  if (child.stdout === null) throw new Error("the process has no standard output");
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === ready) return lines;
    lines.push(line);
  }
  throw new Error(`the process ended before it was ready:\n${log}`);
};

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // With slow timers a drain takes long.
  child.kill("SIGKILL");
  await once(child, "exit");
};
