import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs a script of `bash` that ends at the first failure. What it starts in the background ends with it: it has a
 * process group of its own.
 */
export const runShell = async (
  script: string,
  { folder, environment }: { folder: string; environment: Readonly<Record<string, string>> },
): Promise<Ran> => {
  const shell = spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd: folder,
    env: { PATH: process.env["PATH"], TMPDIR: folder, HOME: folder, NO_COLOR: "1", ...environment },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  shell.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  shell.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(shell, "close");
  await once(shell, "exit");
  try {
    process.kill(-(shell.pid ?? 0), "SIGTERM");
  } catch {
    // ESRCH: all of it has ended.
  }
  // What runs in the background holds the output open.
  await closed;
  return { code: shell.exitCode, output };
};
