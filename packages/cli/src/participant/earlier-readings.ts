import { dirname, join } from "node:path";
import type { Site } from "@curtail/client";
import { lookAtSpool, waitingRecords } from "@curtail/spool";
import { CommandFailure, usageFault } from "../admin-io.js";
import type { Access } from "./access.js";
import { environmentOf } from "./environment-kind.js";
import { inputsIn, inputsWaiting, keptInputs, readInput } from "./kept-input.js";
import { meterChoice } from "./meter-choice.js";
import type { ParticipantIo } from "./participant-io.js";
import { type Profiles, profilesFile, readProfiles } from "./profiles.js";
import {
  type FolderNote,
  folderOfKey,
  folderOfProfile,
  foldersAt,
  isOfKey,
  keyMark,
  noteIn,
  type SpoolPlace,
  uploadFolders,
  writeNote,
} from "./spool-folders.js";
import type { Kind } from "./upload-readings.js";
import { type Account, idsIn, type Whose, whoseReadings, whoseRehearsal } from "./whose-readings.js";

/**
 * The account's folder as far as it is known without the service. A key that is new has one of its own at first, since
 * what another account left may be anywhere else; but in a folder that is named and free.
 */
export const folderFor = async (place: SpoolPlace, access: Access): Promise<string> => {
  const known = foldersAt(place).find((folder) => isOfKey(folder, access));
  const { base, isNamed } = place;
  return known ?? (isNamed && (await isFree(base)) ? base : folderOfKey(base, access));
};

const isFree = async (folder: string): Promise<boolean> => noteIn(folder) === null && !(await isAnyLeft(folder));

const isAnyLeft = async (folder: string): Promise<boolean> =>
  (await isLeft(folder, "telemetry")) || (await isLeft(folder, "controllable-load"));

/** A named folder that is drained may be another account's: then what the key has left is in a folder below it. */
export const folderToDrain = async (place: SpoolPlace, access: Access): Promise<string> => {
  const own = await folderFor(place, access);
  return (await isAnyLeft(own)) ? own : place.base;
};

export const isNamedFolder = ({ base, isNamed }: SpoolPlace, folder: string): boolean => isNamed && folder === base;

/** Folders other than this with something to upload that no process is at. */
export const foldersLeft = async (place: SpoolPlace, kind: Kind, own: string): Promise<readonly string[]> => {
  const left: string[] = [];
  for (const folder of foldersAt(place)) if (folder !== own && (await isLeft(folder, kind))) left.push(folder);
  return left;
};

const isLeft = async (folder: string, kind: Kind): Promise<boolean> => {
  const look = await lookAtSpool(join(folder, kind));
  if (look !== null && look.usedBy !== null) return false;
  return (look?.waiting ?? 0) > 0 || (kind === "telemetry" && (await inputsWaiting(inputsIn(folder))) > 0);
};

export const accountOf = ({ url }: Access, sites: readonly Site[]): Account => ({
  url,
  ids: new Set(sites.flatMap(({ id, meters }) => [id, ...meters.map((meter) => meter.id)])),
});

/** What speaks for whose the readings of a folder are. */
export const whoseFolder = async (
  io: ParticipantIo,
  { place, folder, kind, access, account }: Judged,
): Promise<Whose> => {
  const named = await idsIn(waitingRecords(join(folder, kind)));
  if (kind === "telemetry") for (const id of await metersGiven(folder)) named.add(id);
  const isNamed = isNamedFolder(place, folder);
  const note = noteIn(folder);
  if (environmentOf(access) === "sandbox") return whoseRehearsal({ note, isNamed, named }, account, keyMark(access));
  return whoseReadings({ note, isOfAddress: isNamed || isOfAddress(io, folder, access), named }, account);
};

interface Judged {
  readonly place: SpoolPlace;
  readonly folder: string;
  readonly kind: Kind;
  readonly access: Access;
  readonly account: Account;
}

/** Meters that kept files were to be uploaded to. */
const metersGiven = async (folder: string): Promise<readonly string[]> => {
  if ((await inputsWaiting(inputsIn(folder))) === 0) return [];
  const inputs = await Promise.all((await keptInputs(inputsIn(folder))).map(readInput));
  return inputs.flatMap(({ options }) => {
    const { all, bySeries } = meterChoice(options.meter);
    return [...(all === null ? [] : [all]), ...bySeries.values()];
  });
};

/**
 * Names of folders without a note hide the address. It is known where the name is that of a profile or key that is still
 * there, or if readings of this machine go to one address only. Readings of a rehearsal must not get to production.
 */
const isOfAddress = ({ stateFolder, configFolder }: ParticipantIo, folder: string, access: Access) => {
  const { url } = access;
  const profiles = profilesOr(null, configFolder);
  if (profiles === null) return false;
  const all = Object.entries(profiles.profiles);
  const here = all.filter(([, profile]) => profile.url === url);
  const names = [
    ...here.flatMap(([name, profile]) => [folderOfProfile(stateFolder, url, name), folderOfKey(stateFolder, profile)]),
    folderOfKey(stateFolder, access),
  ];
  if (names.includes(folder)) return true;
  const notes = uploadFolders(stateFolder).flatMap((each) => noteIn(each)?.url ?? []);
  const others = [...all.map(([, profile]) => profile.url), ...notes].filter((each) => each !== url);
  return others.length === 0 && environmentOf(access) === "production";
};

const profilesOr = <T>(otherwise: T, configFolder: string): Profiles | T => {
  try {
    return readProfiles(profilesFile(configFolder));
  } catch (error) {
    if (error instanceof CommandFailure) return otherwise;
    throw error;
  }
};

/** Whether the service has also said which sites the key sees. */
export const isKnown = (folder: string, access: Access): boolean =>
  isOfKey(folder, access) && (noteIn(folder)?.ids.length ?? 0) > 0;

/** A folder that is named is for one address. */
export const refuseOtherAddress = ({ base, isNamed }: SpoolPlace, { url }: Access): void => {
  const note = isNamed ? noteIn(base) : null;
  if (note !== null && note.url !== url)
    throw usageFault(`${base} keeps readings for ${note.url}; name another folder with --spool`);
};

/**
 * Notes which key a folder is of, before anything is added to it; its spool is open, so that two keys cannot do so at once.
 * One that the key had before, or that no key has, is taken again: its home may have been removed.
 */
export const beginNote = (folder: string, access: Access): void => {
  if (isOfKey(folder, access)) return;
  const note = noteIn(folder) ?? { url: access.url, keys: [], ids: [] };
  const isFreeToTake = note.keys.length === 0 || folder === folderOfKey(dirname(folder), access);
  if (note.url !== access.url || !isFreeToTake)
    throw new CommandFailure(`run the command again: another one has begun to use ${folder} meanwhile`);
  writeNote(folder, { ...note, keys: [...note.keys, keyMark(access)] });
};

/** Keeps whose a folder is, so that it is known while the service is away. */
export const learn = (place: SpoolPlace, folder: string, access: Access, { url, ids }: Account): void => {
  const key = keyMark(access);
  const before = noteIn(folder) ?? { url, keys: [], ids: [] };
  const isAtHome = before.ids.length > 0 && before.keys.includes(key);
  // Sites of the sandbox are everybody's, so that a key stays in its own folder there.
  const isAlone = isAtHome || environmentOf(access) === "sandbox";
  const home = isAlone ? undefined : homeOf(place, folder, { url, ids });
  // The next runs with this key go on in the folder that the account has. First, so that a kill leaves it in both.
  if (home !== undefined) writeNote(home.folder, { ...home.note, keys: [...home.note.keys, key] });
  const keys = home === undefined ? [...before.keys, key] : before.keys.filter((each) => each !== key);
  writeNote(folder, { url, keys, ids: [...before.ids, ...ids] });
};

const homeOf = (place: SpoolPlace, own: string, { url, ids }: Account) => {
  // One that its key has left is no home.
  const isHome = (note: FolderNote | null): note is FolderNote =>
    note !== null && note.url === url && note.keys.length > 0 && note.ids.some((id) => ids.has(id));
  for (const folder of foldersAt(place)) {
    const note = noteIn(folder);
    if (folder !== own && isHome(note)) return { folder, note };
  }
  return undefined;
};
