import { join } from "node:path";
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
  isOfKey,
  keyMark,
  noteIn,
  uploadFolders,
  writeNote,
} from "./spool-folders.js";
import type { Kind } from "./upload-readings.js";
import { type Account, idsIn, type Whose, whoseReadings } from "./whose-readings.js";

/** Folders other than this with something to upload that no process is at. */
export const foldersLeft = async (stateFolder: string, kind: Kind, own: string): Promise<readonly string[]> => {
  const left: string[] = [];
  for (const folder of uploadFolders(stateFolder))
    if (folder !== own && (await isLeft(folder, kind))) left.push(folder);
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
  { folder, kind, access, account }: { folder: string; kind: Kind; access: Access; account: Account },
): Promise<Whose> => {
  const named = await idsIn(waitingRecords(join(folder, kind)));
  if (kind === "telemetry") for (const id of await metersGiven(folder)) named.add(id);
  return whoseReadings({ note: noteIn(folder), isOfAddress: isOfAddress(io, folder, access), named }, account);
};

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

/** Notes at the beginning which key a folder is of: a folder of its own, or one that holds nothing. */
export const beginNote = (folder: string, access: Access, isOwn: boolean): void => {
  const note = noteIn(folder);
  if (note !== null && note.url !== access.url)
    throw usageFault(`${folder} keeps readings for ${note.url}; name another folder with --spool`);
  if (note === null && isOwn) writeNote(folder, { url: access.url, keys: [keyMark(access)], ids: [] });
};

/** Keeps whose a folder is, so that it is known while the service is away. */
export const learn = (stateFolder: string, folder: string, access: Access, { url, ids }: Account): void => {
  const key = keyMark(access);
  const before = noteIn(folder) ?? { url, keys: [], ids: [] };
  const home = before.ids.length > 0 ? undefined : homeOf(stateFolder, folder, { url, ids });
  const keys = home === undefined ? [...before.keys, key] : before.keys.filter((each) => each !== key);
  writeNote(folder, { url, keys, ids: [...before.ids, ...ids] });
  // The next runs with this key go on in the folder that the account has.
  if (home !== undefined) writeNote(home.folder, { ...home.note, keys: [...home.note.keys, key] });
};

const homeOf = (stateFolder: string, own: string, { url, ids }: Account) => {
  const isHome = (note: FolderNote | null): note is FolderNote =>
    note !== null && note.url === url && note.ids.some((id) => ids.has(id));
  for (const folder of uploadFolders(stateFolder)) {
    const note = noteIn(folder);
    if (folder !== own && isHome(note)) return { folder, note };
  }
  return undefined;
};
