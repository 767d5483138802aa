import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramKey } from "@curtail/simulation";

export interface Person {
  readonly role: "operator-admin" | "participant-admin";
  readonly email: string;
  readonly password: string;
  readonly of: string;
}

export interface KnownAccount {
  readonly name: string;
  readonly id: string;
  readonly key: string;
}

export interface KnownSite {
  readonly code: string;
  readonly id: string;
  /** In the order of the site's meters. */
  readonly meterIds: readonly string[];
}

/** What was created in the service and still exists in the next run. */
export interface Made {
  readonly accounts: readonly KnownAccount[];
  readonly sites: readonly KnownSite[];
  readonly programs: Readonly<Record<ProgramKey, string>>;
  readonly people: readonly Person[];
}

/** What the demo stores between runs. */
export interface Memory {
  readonly operatorToken: string;
  readonly made: Made | null;
  /** Readings are uploaded up to here. */
  readonly filledUntilMs: number;
  /** Address at which the fleet is notified of dispatches; its webhooks point there. */
  readonly hookPort: number;
  /** The process running the demo; null if none. */
  readonly playedBy: number | null;
}

export interface MemoryFile {
  readonly memory: Memory;
  remember(change: Partial<Memory>): void;
}

/** Opens the demo's folder; starts over if it is incomplete or `isFresh`. */
export const openMemory = (folder: string, isFresh: boolean): MemoryFile => {
  const file = join(folder, "demo.json");
  const isOurs = existsSync(file);
  if (!isOurs && existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} contains files that do not belong to the demo; use another folder with --data-dir`);
  const known = isOurs ? readMemory(file) : null;
  if (known !== null && known.playedBy !== null && isAlive(known.playedBy))
    throw new Error(
      `process ${known.playedBy} is running in ${folder}; stop it, or use another folder with --data-dir`,
    );
  if (isOurs && (isFresh || known === null || known.made === null)) rmSync(folder, { recursive: true });
  mkdirSync(folder, { recursive: true });
  let memory = existsSync(file) && known !== null ? known : newMemory();
  const remember: MemoryFile["remember"] = (change) => {
    memory = { ...memory, ...change };
    // Replaced atomically: a killed run leaves the previous or the new file.
    writeFileSync(`${file}.new`, JSON.stringify(memory, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  remember({ playedBy: process.pid });
  return {
    get memory() {
      return memory;
    },
    remember,
  };
};

export const newSecret = (): string => randomBytes(18).toString("base64url");

const newMemory = (): Memory => ({
  operatorToken: newSecret(),
  made: null,
  filledUntilMs: 0,
  hookPort: 0,
  playedBy: null,
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // There is no such process, or it belongs to another user.
    return false;
  }
};

const readMemory = (file: string): Memory | null => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Memory;
  } catch {
    // Starts over, as with an incomplete folder.
    return null;
  }
};
