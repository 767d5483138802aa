import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { copyFolder, madeOnce } from "@curtail/testing/made-once";
import { inject } from "vitest";

/** That of the first service is the others', too: its RSA keys, and the listener's, take a second of the processor. */
const AUTHORITY = "authority-of-vens";
const authorityIn = (dataDir: string): string => join(dataDir, "openadr");

/** For a data directory whose service has not run. */
export const takeAuthority = async (dataDir: string): Promise<void> => {
  const made = join(inject("runFolder"), AUTHORITY);
  if (!existsSync(made)) return;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await copyFolder(made, authorityIn(dataDir));
};

/** Unless the service did not listen to VENs. */
export const keepAuthority = async (dataDir: string): Promise<void> => {
  const made = authorityIn(dataDir);
  if (existsSync(join(made, "server.pem"))) await madeOnce(AUTHORITY, (folder) => copyFolder(`${made}/.`, folder));
};
