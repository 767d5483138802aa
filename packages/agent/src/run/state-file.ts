import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DispatchWindow } from "../control/dispatch-window.js";
import type { OutputValue } from "../control/output-value.js";
import type { Override } from "../control/override.js";
import type { SiteState } from "../control/site-control.js";

/** What outlives a restart. */
export interface StoredState {
  /** When it was written. */
  readonly atMs: number;
  /** When the service last answered; null: never. */
  readonly contactAtMs: number | null;
  /** How long processes have tried in vain to reach the service since; undefined before this was stored. */
  readonly silentMs?: number;
  readonly sites: Readonly<Record<string, StoredSite>>;
}

export interface StoredSite {
  readonly state: SiteState;
  readonly windows: readonly DispatchWindow[] | null;
  readonly override: Override | null;
  /** The last value of each output, by its name; a ramp goes on from there. */
  readonly outputs: Readonly<Record<string, OutputValue>>;
}

const NAME = "state.json";
/** A change of the form above gets the next number; another number is not read. */
const FORMAT = 1;

/** The state that was stored, or null if there is none or it cannot be used. */
export const loadState = (folder: string): StoredState | null => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const stored = JSON.parse(readFileSync(join(folder, NAME), "utf8")) as StoredState & { readonly format: number };
    return stored.format === FORMAT ? stored : null;
  } catch {
    return null;
  }
};

/** Replaces the stored state as a whole: after a power cut it is the old or the new one. */
export const saveState = (folder: string, state: StoredState): void => {
  const path = join(folder, NAME);
  withFile(openSync(`${path}.new`, "w", 0o600), (file) => {
    writeFileSync(file, JSON.stringify({ format: FORMAT, ...state }));
    fsyncSync(file);
  });
  renameSync(`${path}.new`, path);
  // Windows cannot open folders.
  if (process.platform !== "win32") withFile(openSync(folder, "r"), fsyncSync);
};

const withFile = (file: number, work: (file: number) => void): void => {
  try {
    work(file);
  } finally {
    closeSync(file);
  }
};
