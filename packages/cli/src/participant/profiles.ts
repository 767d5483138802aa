import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandFailure, usageFault } from "../admin-io.js";
import { replaceFile, textIn, unusable } from "../whole-file.js";

/** An address with a key for it. */
export interface Profile {
  readonly url: string;
  readonly api_key: string;
  /** Header that carries the key, if it is not the usual one. */
  readonly api_key_header?: string;
}

/** All profiles of a user of this machine. */
export interface Profiles {
  /** The one that commands use without `--profile`; null without any. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const none: Profiles = { current: null, profiles: {} };

/** Only for the user: the file holds keys. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS = 0o077;

export const profilesFile = (configFolder: string): string => join(configFolder, "profiles.json");

export const checkProfileName = (name: string): string => {
  if (!/^[A-Za-z0-9][\w.-]{0,49}$/.test(name))
    throw usageFault("a profile's name has up to 50 letters, digits, dots, hyphens and underscores");
  return name;
};

export const readProfiles = (file: string): Profiles => {
  const text = textIn(file);
  if (text === null) return none;
  const read = parsed(text);
  if (read === null)
    throw new CommandFailure(`${file} does not hold profiles; remove it and run \`curtail login\` again`);
  return read;
};

const parsed = (text: string): Profiles | null => {
  try {
    const { current, profiles } = JSON.parse(text) as Profiles;
    const isWhole = Object.values(profiles).every(
      ({ url, api_key }) => typeof url === "string" && typeof api_key === "string",
    );
    return isWhole && (current === null || typeof current === "string") ? { current, profiles } : null;
  } catch {
    return null;
  }
};

/** Replaces the file as a whole; removes it with the last profile. */
export const writeProfiles = (file: string, profiles: Profiles): void => {
  try {
    if (Object.keys(profiles.profiles).length === 0) return rmSync(file, { force: true });
    mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE });
    replaceFile(file, `${JSON.stringify(profiles, null, 2)}\n`, FILE_MODE);
  } catch (error) {
    throw unusable(file, "written", { error });
  }
};

export const withProfile = ({ profiles }: Profiles, name: string, profile: Profile): Profiles => ({
  current: name,
  profiles: { ...profiles, [name]: profile },
});

/** The next current profile is the first that is left. */
export const withoutProfile = ({ current, profiles }: Profiles, name: string): Profiles => {
  const left = Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name));
  const next = current === name ? (Object.keys(left)[0] ?? null) : current;
  return { current: next, profiles: left };
};

/** Whether other users of the machine can read the keys; false where files have no such mode. */
export const isOpenToOthers = (file: string): boolean =>
  process.platform !== "win32" && ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
