import { rmSync, statSync } from "node:fs";
import { CommandFailure, messageOf } from "./admin-io.js";
import { replaceFile, textIn, unusable } from "./whole-file.js";

const OTHER_FILE = "use another state file with --state FILE";

/** Identifies a replay: it differs by file, service, account or shift. */
export interface ReplayTarget {
  readonly url: string;
  readonly account: string;
  /** As given on the command line; null if timestamps are unchanged. */
  readonly shift: string | null;
  readonly bytes: number;
  readonly modified_at: string;
}

interface Entry extends ReplayTarget {
  /** Last line up to which every reading is stored. */
  readonly line: number;
  /** Stored because `now` differs in the next run. */
  readonly shift_ms: number;
}

/** The progress of a replay, on disk. */
export interface ReplayState {
  /** null at the first run. */
  readonly resumed: { readonly line: number; readonly shiftMs: number } | null;
  acknowledge(line: number, shiftMs: number): void;
  /** Removes this replay, and the file if it has no other. */
  finish(): void;
}

export const targetOf = (csv: string, target: Pick<ReplayTarget, "url" | "account" | "shift">): ReplayTarget => {
  try {
    const { size, mtime } = statSync(csv);
    return { ...target, bytes: size, modified_at: mtime.toISOString() };
  } catch (error) {
    throw new CommandFailure(`${csv} cannot be read: ${messageOf(error)}`, undefined, { cause: error });
  }
};

export const openReplayState = (file: string, target: ReplayTarget, restart: boolean): ReplayState => {
  const entries = readEntries(file);
  const found = restart ? undefined : entries.find((entry) => isSame(entry, target));
  const others = entries.filter((entry) => !isSame(entry, target));
  return {
    resumed: found === undefined ? null : { line: found.line, shiftMs: found.shift_ms },
    acknowledge: (line, shiftMs) => writeEntries(file, [...others, { ...target, line, shift_ms: shiftMs }]),
    finish: () => (others.length === 0 ? rmSync(file, { force: true }) : writeEntries(file, others)),
  };
};

const targetMembers = ["url", "account", "shift", "bytes", "modified_at"] as const;

const isSame = (a: ReplayTarget, b: ReplayTarget): boolean => targetMembers.every((member) => a[member] === b[member]);

const readEntries = (file: string): Entry[] => {
  const text = textIn(file, OTHER_FILE);
  if (text === null) return [];
  try {
    const { replays } = JSON.parse(text) as { replays: Entry[] };
    if (replays.every((entry) => Number.isInteger(entry.line) && Number.isFinite(entry.shift_ms))) return replays;
  } catch {
    // Reported below, like any other content that is not ours.
  }
  throw new CommandFailure(`${file} is not the state of a replay; remove it, or use another file with --state`);
};

const writeEntries = (file: string, replays: readonly Entry[]): void => {
  try {
    replaceFile(file, `${JSON.stringify({ replays }, null, 2)}\n`);
  } catch (error) {
    throw unusable(file, "written", { error, advice: OTHER_FILE });
  }
};
