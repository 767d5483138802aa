import { createHash } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { replaceFile, textIn, unusable } from "../whole-file.js";
import type { Access } from "./access.js";

/** Whose readings a folder keeps, as far as the service has said so. */
export interface FolderNote {
  readonly url: string;
  /** Marks of the keys whose readings it keeps; the keys themselves are not stored. */
  readonly keys: readonly string[];
  /** Ids of sites and meters of the account, from the last answer of the service; empty before the first. */
  readonly ids: readonly string[];
}

const [PREFIX, NOTE] = ["upload-", "account.json"];

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Recognises a key of an address without revealing it. */
export const keyMark = ({ url, api_key }: Pick<Access, "url" | "api_key">): string => digestOf(`${url} ${api_key}`);

/** Folders without a note were named by the key, or by the profile that had it. */
export const folderOfKey = (stateFolder: string, access: Pick<Access, "url" | "api_key">): string =>
  join(stateFolder, `${PREFIX}${keyMark(access)}`);
export const folderOfProfile = (stateFolder: string, url: string, profile: string): string =>
  join(stateFolder, `${PREFIX}${digestOf(`${url} profile ${profile}`)}`);

/** All folders that keep what was read from standard input. */
export const uploadFolders = (stateFolder: string): readonly string[] => {
  try {
    const names = readdirSync(stateFolder).filter((name) => name.startsWith(PREFIX));
    return names.toSorted().map((name) => join(stateFolder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw unusable(stateFolder, "read", { error });
  }
};

/** Where the folders of a user's accounts are: the state folder, or the one of `--spool`, which is itself such a folder. */
export interface SpoolPlace {
  readonly base: string;
  readonly isNamed: boolean;
}

export const foldersAt = ({ base, isNamed }: SpoolPlace): readonly string[] =>
  isNamed ? [base, ...uploadFolders(base)] : uploadFolders(base);

/** Null if the service has never been asked about it, or the note is damaged. */
export const noteIn = (folder: string): FolderNote | null => {
  try {
    const note = JSON.parse(textIn(join(folder, NOTE)) ?? "null") as FolderNote | null;
    return note !== null && [note.keys, note.ids].every(Array.isArray) ? note : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

export const writeNote = (folder: string, { url, keys, ids }: FolderNote): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const note = { url, keys: [...new Set(keys)], ids: [...new Set(ids)].toSorted() };
    replaceFile(join(folder, NOTE), `${JSON.stringify(note)}\n`, 0o600);
  } catch (error) {
    throw unusable(folder, "written", { error });
  }
};

/** Whether the folder keeps readings of this key; its mark has the address, too. */
export const isOfKey = (folder: string, access: Access): boolean =>
  noteIn(folder)?.keys.includes(keyMark(access)) === true;
