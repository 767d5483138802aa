import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessCode } from "./error-code.js";

export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** null if it has no socket. */
  readonly socketDir: string | null;
  readonly isReady: boolean;
}

export const postmasterFilePath = (clusterDir: string): string => join(clusterDir, "postmaster.pid");

/** Parses the file that a server writes about itself; null if it is missing or incomplete. */
export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | null> {
  const text = await unlessCode(readFile(postmasterFilePath(clusterDir), "utf8"), ["ENOENT"], "");
  // LOCK_FILE_LINE_… in PostgreSQL's pidfile.h: pid, data directory, start, port, socket, address, memory, state.
  const [pid, , , port, socketDir = "", , , state] = text.split("\n").map((line) => line.trim());
  if (!(Number.isInteger(Number(pid)) && Number(pid) > 0)) return null;
  return {
    pid: Number(pid),
    port: Number(port),
    socketDir: socketDir === "" ? null : socketDir,
    isReady: state === "ready",
  };
}
