import type { Verdict } from "./watch-places.js";
import type { FoundFile } from "./watched-files.js";

/** What a watch did on a day of the machine's calendar. */
export interface Tally {
  readonly day: string;
  readonly done: number;
  readonly refused: number;
  readonly stored: number;
  readonly setAside: number;
}

/** A file whose readings are dealt with, on its way out of the folder. */
export interface Moving {
  readonly file: FoundFile;
  readonly verdict: Verdict;
  /** Where it goes. */
  readonly to: string;
  readonly stored: number;
  readonly setAside: number;
}

/** A file as it was when it was moved to `done`. */
export interface Moved extends FoundFile {
  readonly moved_at: string;
}

/** What the state file of a watch has. */
export interface Kept {
  readonly tally: Tally;
  readonly moves: readonly Moving[];
  /** Oldest first. */
  readonly moved: readonly Moved[];
}

export const noneOn = (day: string): Tally => ({ day, done: 0, refused: 0, stored: 0, setAside: 0 });

/** Null for none, also if the text is damaged or of another program: then only counts are lost. */
export const keptOf = (text: string | null): Kept | null => {
  try {
    const kept: unknown = JSON.parse(text ?? "null");
    return isKept(kept) ? kept : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

const isKept = (value: unknown): value is Kept =>
  has(value, { tally: isTally, moves: isListOf(isMoving), moved: isListOf(isMoved) });

type Check = (value: unknown) => boolean;

const has = (value: unknown, checks: Readonly<Record<string, Check>>): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(checks).every(([member, check]) => check((value as Readonly<Record<string, unknown>>)[member]));

const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const isText: Check = (value) => typeof value === "string";
const isCount: Check = (value) => Number.isSafeInteger(value);
const fileChecks = { name: isText, bytes: isCount, modified_at: isText };
const countChecks = { stored: isCount, setAside: isCount };
const isTally: Check = (value) => has(value, { day: isText, done: isCount, refused: isCount, ...countChecks });
const isMoved: Check = (value) => has(value, { ...fileChecks, moved_at: isText });
const isVerdict: Check = (value) => value === "done" || value === "refused";
const isMoving: Check = (value) =>
  has(value, { file: (file) => has(file, fileChecks), verdict: isVerdict, to: isText, ...countChecks });
