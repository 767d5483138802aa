import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { CommandFailure, messageOf } from "./admin-io.js";

/** The text of a file; null if there is none. Throws a `CommandFailure` for any other fault. */
export const textIn = (file: string, advice?: string): string | null => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw unusable(file, "read", { error, advice });
  }
};

/** Writes a new file and renames it, so that an interruption or a loss of power leaves the old text or the new. */
export const replaceFile = (file: string, text: string, mode?: number): void => {
  const next = `${file}.${process.pid}.new`;
  try {
    writeFileSync(next, text, { mode, flush: true });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
};

/** What a file cannot be, why, and what to do about it. */
export const unusable = (
  file: string,
  what: "read" | "written",
  { error, advice }: { readonly error: unknown; readonly advice?: string | undefined },
): CommandFailure => {
  const words = advice === undefined ? `: ${messageOf(error)}` : ` (${messageOf(error)}); ${advice}`;
  return new CommandFailure(`${file} cannot be ${what}${words}`, undefined, { cause: error });
};
