import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessCode } from "./error-code.js";

export interface PostmasterFile {
  readonly pid: number;
  readonly isReady: boolean;
}

export const postmasterFilePath = (clusterDir: string): string => join(clusterDir, "postmaster.pid");

/** Parses the file that a server writes about itself; null if it is missing or incomplete. */
export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | null> {
  const text = await unlessCode(readFile(postmasterFilePath(clusterDir), "utf8"), ["ENOENT"], "");
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  // Line 8 is the state that pg_ctl --wait checks (LOCK_FILE_LINE_PM_STATUS in PostgreSQL's pidfile.h).
  return Number.isInteger(pid) && pid > 0 ? { pid, isReady: lines[7]?.trim() === "ready" } : null;
}
