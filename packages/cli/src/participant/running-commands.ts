import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A `curtail` that runs on this machine, by what it was started with. */
export interface RunningCommand {
  readonly pid: number;
  readonly words: readonly string[];
  /** Where relative paths of its words begin; null if that may not be read. */
  readonly folder: string | null;
}

/** By /proc, so on Linux only; elsewhere what runs is not found, and its folders are still looked at. */
export const runningCommands = (): readonly RunningCommand[] =>
  pids().flatMap((pid) => {
    const words = (quietly(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "").split("\0").slice(0, -1);
    const at = words.findIndex((word) => ["agent", "listen", "upload"].includes(word));
    // Node.js, the program, the command; what a shebang starts may be named as one.
    if (at < 1 || at > 2 || !words.slice(0, at).some((word) => /curtail|program\.js$/.test(word))) return [];
    return [{ pid, words: words.slice(at), folder: quietly(() => readlinkSync(`/proc/${pid}/cwd`)) }];
  });

const pids = (): readonly number[] =>
  (quietly(() => readdirSync("/proc")) ?? []).filter((name) => /^\d+$/.test(name)).map(Number);

const quietly = <T>(look: () => T): T | null => {
  try {
    return look();
  } catch {
    return null;
  }
};
