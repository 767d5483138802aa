import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WatchState } from "@curtail/client";
import { CommandFailure, messageOf } from "../admin-io.js";
import type { Access } from "./access.js";
import type { Forwarded } from "./listen-notice.js";

/** What `curtail listen` remembers for a key and a target. */
export interface ListenState {
  readonly secret: string;
  readonly forwarded: Forwarded;
  readonly watched: WatchState | null;
}

export interface ListenStore {
  readonly file: string;
  /** null at the first start. */
  readonly load: () => ListenState | null;
  readonly save: (state: ListenState) => void;
}

/** A file of its own for each service, key and target, so that several may run. It holds a secret. */
export const listenStore = (stateFolder: string, { url, api_key }: Access, target: string): ListenStore => {
  const name = createHash("sha256").update(`${url} ${api_key} ${target}`).digest("hex").slice(0, 16);
  const file = join(stateFolder, `listen-${name}.json`);
  return {
    file,
    load: () => stateIn(file),
    save(state) {
      try {
        mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
        writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch (error) {
        throw new CommandFailure(`${file} cannot be written: ${messageOf(error)}`, undefined, { cause: error });
      }
    },
  };
};

const stateIn = (file: string): ListenState | null => {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new CommandFailure(`${file} cannot be read: ${messageOf(error)}`, undefined, { cause: error });
  }
  try {
    const state = JSON.parse(text) as ListenState;
    if (typeof state.secret === "string" && typeof state.forwarded === "object") return state;
  } catch {
    // Reported below, like any other content that is not ours.
  }
  throw new CommandFailure(`${file} is not the state of \`curtail listen\`; remove it to start anew`);
};
