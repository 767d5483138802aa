import { createHash } from "node:crypto";
import { appendFileSync, rmSync } from "node:fs";
import type { SetAside } from "@curtail/client";
import { replaceFile, textIn, unusable } from "../whole-file.js";

type Refused = SetAside<object>;

/** What the service refused of an upload, over interruptions and kills. */
export interface RefusedReadings {
  readonly all: readonly Refused[];
  /** Call it before the progress is recorded: what is then sent again may be refused again. */
  readonly add: (refused: readonly Refused[]) => void;
  /** Removes the file. */
  readonly finish: () => void;
}

/** A file for each upload that a state file has, one reading to a line. */
export const refusedFile = (stateFile: string, target: object): string =>
  `${stateFile}.${createHash("sha256").update(JSON.stringify(target)).digest("hex").slice(0, 16)}.refused`;

/**
 * Keeps them in a file until the upload has ended.
 *
 * @param from readings that earlier runs have dealt with; others are sent again
 */
export const refusedIn = (file: string, from: number): RefusedReadings => {
  const all = (textIn(file) ?? "").split("\n").flatMap((line) => {
    const refused = refusedOf(line);
    return refused !== null && refused.index < from ? [refused] : [];
  });
  written(file, () => (all.length === 0 ? rmSync(file, { force: true }) : replaceFile(file, linesOf(all))));
  return {
    all,
    add(refused) {
      if (refused.length === 0) return;
      all.push(...refused);
      written(file, () => appendFileSync(file, linesOf(refused)));
    },
    finish: () => rmSync(file, { force: true }),
  };
};

/** A kill may leave half a line at the end. */
const refusedOf = (line: string): Refused | null => {
  try {
    return JSON.parse(line) as Refused;
  } catch {
    return null;
  }
};

const linesOf = (refused: readonly Refused[]): string => refused.map((each) => `${JSON.stringify(each)}\n`).join("");

const written = (file: string, write: () => void): void => {
  try {
    write();
  } catch (error) {
    throw unusable(file, "written", { error });
  }
};
