import { access, constants, mkdir, realpath } from "node:fs/promises";
import { errorCode } from "./error-code.js";

/** Makes the directory if need be and gives its real path. */
export async function prepareDataDirectory(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(dataDir);
  } catch (error) {
    throw new Error(`The data directory ${dataDir} cannot be used: ${reason(error)}`, { cause: error });
  }
}

function reason(error: unknown): string {
  switch (errorCode(error)) {
    case "EEXIST":
    case "ENOTDIR":
      return "it, or something above it, is a file. Name a directory.";
    case "EACCES":
    case "EPERM":
      return "this user may not write there. Change its owner or mode, or name another directory.";
    case "EROFS":
      return "the file system is read-only. Name a directory elsewhere.";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
