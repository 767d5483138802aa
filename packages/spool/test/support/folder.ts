import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openSpool, type Spool, type SpoolOptions } from "../../src/index.js";

/** Linux keeps this directory in memory, where nothing waits for a disk: tests open hundreds of spools. */
const MEMORY = "/dev/shm";

/** An empty folder that goes with the test. */
export const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "curtail-spool-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

export const openIn = async (folder: string, options?: SpoolOptions): Promise<Spool> => {
  const spool = await openSpool(folder, options);
  onTestFinished(() => spool.close());
  return spool;
};

export const segmentsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => name.startsWith("segment-"))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => join(folder, name));

/** The payloads that wait, as text. */
export const waitingIn = async (spool: Spool): Promise<string[]> =>
  (await spool.take(1_000_000)).map(({ payload }) => new TextDecoder().decode(payload));
