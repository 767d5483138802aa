import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";

const run = promisify(execFile);

/**
 * A folder created once for all test files of a run, and copied by those that write to it. Workers that need it at the
 * same time each create one; the first to finish gives it its name.
 */
export const madeOnce = async (name: string, make: (folder: string) => Promise<void>): Promise<string> => {
  const place = join(inject("runFolder"), name);
  if (existsSync(place)) return place;
  const draft = await mkdtemp(`${place}-`);
  await make(draft);
  await rename(draft, place).catch(async (error: unknown) => {
    if (!existsSync(place)) throw error;
    await rm(draft, { recursive: true });
  });
  return place;
};

/** Preserves owners and modes: as root, PostgreSQL runs as another user. */
export const copyFolder = async (from: string, to: string): Promise<void> => void (await run("cp", ["-a", from, to]));
