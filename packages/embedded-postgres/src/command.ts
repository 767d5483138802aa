import { type ChildProcess, spawn } from "node:child_process";
import { errorCode } from "./error-code.js";
import type { Identity } from "./identity.js";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly identity: Identity;
  /** Our open descriptors, which the child gets as 3, 4, … */
  readonly descriptors?: readonly number[];
  /** Aborting it kills the command and everything it started. */
  readonly atOnce?: AbortSignal | undefined;
}

export interface CommandResult {
  readonly succeeded: boolean;
  readonly output: string;
}

// Nothing of our environment is passed on: PGDATA, LC_ALL or LD_PRELOAD of the operator's shell could affect it.
const childEnvironment = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

export function spawnCommand({ file, args, identity, descriptors = [] }: Command): ChildProcess {
  return spawn(file, args, {
    ...identity,
    // Its own session: Ctrl-C and signals to our group are for us, and we end it when its work is done.
    detached: true,
    // Our own working directory may be inaccessible to the other user.
    cwd: "/",
    env: childEnvironment,
    stdio: ["ignore", "pipe", "pipe", ...descriptors],
  });
}

/** Runs to the end. A file that cannot be run is a failure like any other, with the reason in the output. */
export function runCommand(command: Command): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawnCommand(command);
    const kill = (): void => endGroup(child);
    command.atOnce?.addEventListener("abort", kill);
    let output = "";
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.once("error", (error) => resolve({ succeeded: false, output: error.message }));
    child.once("close", (code) => {
      command.atOnce?.removeEventListener("abort", kill);
      resolve({ succeeded: code === 0, output: output.trim() });
    });
  });
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It has just exited.
    if (errorCode(error) !== "ESRCH") throw error;
  }
}
