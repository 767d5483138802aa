import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
// Declares what the tests of a run share.
import type {} from "../../../packages/server/test/support/global-setup.js";
import { startProcess, type TemporaryFolder, temporaryFolder, underLoad } from "./service-process.js";

const run = promisify(execFile);

/** A temporary folder with a data directory in which the service has run once. */
export interface PreparedFolder extends TemporaryFolder {
  readonly dataDir: string;
}

/**
 * For tests that are not about the first start: a copy of one data directory takes a tenth of the time that initdb, the
 * migrations and the certificate authority take. Nobody knows an operator token of it, and it has no user.
 */
export const preparedFolder = async (): Promise<PreparedFolder> => {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, "data");
  // Keeps owners and modes: as root, PostgreSQL runs as another user.
  await run("cp", ["-a", await preparedOnce(), dataDir]);
  return { ...folder, dataDir };
};

let preparing: Promise<string> | undefined;

const preparedOnce = (): Promise<string> => (preparing ??= prepared(join(inject("runFolder"), "prepared")));

/** Workers that need it at the same time each make one; the first to finish gives it its name. */
const prepared = async (place: string): Promise<string> => {
  if (existsSync(place)) return place;
  const draft = await mkdtemp(`${place}-`);
  const service = await startProcess(underLoad(draft));
  await service.end("SIGTERM");
  await rename(draft, place).catch(async (error: unknown) => {
    if (!existsSync(place)) throw error;
    await rm(draft, { recursive: true });
  });
  return place;
};
