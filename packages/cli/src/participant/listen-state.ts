import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { WatchState } from "@curtail/client";
import { CommandFailure } from "../admin-io.js";
import { replaceFile, textIn, unusable } from "../whole-file.js";
import type { Access } from "./access.js";
import type { Forwarded } from "./listen-notice.js";

/** What `curtail listen` remembers for a key and a target. */
export interface ListenState {
  readonly secret: string;
  readonly forwarded: Forwarded;
  readonly watched: WatchState | null;
  /** Of what it is, for people; absent in states of earlier versions. */
  readonly url?: string;
  readonly target?: string;
}

/** Targets that were listened for, by any key. */
export const listenersIn = (stateFolder: string): ReadonlyArray<{ readonly url: string; readonly target: string }> => {
  const names = existsSync(stateFolder) ? readdirSync(stateFolder) : [];
  return names
    .filter((name) => /^listen-\w+\.json$/.test(name))
    .flatMap((name) => {
      const { url, target } = stateIn(join(stateFolder, name)) ?? {};
      return url === undefined || target === undefined ? [] : [{ url, target }];
    });
};

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
        replaceFile(file, JSON.stringify({ ...state, url, target }), 0o600);
      } catch (error) {
        throw unusable(file, "written", { error });
      }
    },
  };
};

const stateIn = (file: string): ListenState | null => {
  const text = textIn(file);
  if (text === null) return null;
  try {
    const state = JSON.parse(text) as ListenState;
    if (typeof state.secret === "string" && typeof state.forwarded === "object") return state;
  } catch {
    // Reported below, like any other content that is not ours.
  }
  throw new CommandFailure(`${file} is not the state of \`curtail listen\`; remove it to start anew`);
};
