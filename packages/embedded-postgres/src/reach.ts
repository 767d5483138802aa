import { closeSync, constants, openSync } from "node:fs";
import { runCommand } from "./command.js";
import type { Identity } from "./identity.js";

/** How a child of another user accesses a directory: by its path, or through a descriptor inherited from us. */
export type Reach = "path" | "descriptor";

/** A descriptor is needed below a directory of mode 0700 that belongs to us, such as root's home. */
export async function chooseReach(identity: Identity, directory: string): Promise<Reach> {
  if (await canEnter(identity, directory)) return "path";
  if (process.platform === "linux") return "descriptor";
  throw new Error(
    `PostgreSQL runs as uid ${identity?.uid} and cannot enter ${directory}. ` +
      "Let that user pass through the directories above it, or start Curtail as an ordinary user.",
  );
}

/** Tries it, because modes are not the whole truth (access lists, mount options). */
export async function canEnter(identity: Identity, directory: string): Promise<boolean> {
  if (identity === null) return true;
  const entered = await runCommand({ file: "/bin/sh", args: ["-c", 'cd -- "$1"', "sh", directory], identity });
  return entered.succeeded;
}

/** `start` must spawn before it returns: the child has its own copy of the descriptor from then on. */
export function reaching<T>(
  reach: Reach,
  directory: string,
  start: (argument: string, descriptors: readonly number[]) => T,
): T {
  if (reach === "path") return start(directory, []);
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    // Linux resolves this path to the open directory without walking the path above it; forked backends inherit it too.
    return start("/proc/self/fd/3", [descriptor]);
  } finally {
    closeSync(descriptor);
  }
}
