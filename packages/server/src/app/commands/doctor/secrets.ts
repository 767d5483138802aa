import { stat } from "node:fs/promises";
import { join } from "node:path";
import { bad, type Check, good } from "@curtail/cli";
import { CHECK_SETTING } from "../../../platform/database/sealed-secrets.js";
import { findSetting } from "../../../platform/database/setting-store.js";
import type { Config } from "../../../platform/runtime/config.js";
import { findKeys, keyFileOf, openCheck } from "../../wire/secret-keys.js";
import type { Read } from "./reading.js";

/** A file or folder with secrets. */
export interface SecretPlace {
  readonly path: string;
  /** Bits of its mode that nobody should have. */
  readonly closed: number;
  /** null: it is not there, or not for this user. */
  readonly mode: number | null;
}

const OTHERS = 0o007;
const GROUP_AND_OTHERS = 0o077;

export const placesCheck = (places: readonly SecretPlace[]): Check => {
  const open = places.filter(({ mode, closed }) => mode !== null && (mode & closed) !== 0);
  const there = places.filter(({ mode }) => mode !== null).length;
  if (open.length === 0) return good("files", `${there} with secrets, closed to other users`);
  const named = open.map(({ path, mode }) => `${path} (${((mode ?? 0) & 0o777).toString(8)})`);
  const commands = open.map(({ path, closed }) => `chmod ${closed === OTHERS ? "o" : "go"}= ${path}`);
  return bad("files", `other users of this machine have access to ${named.join(", ")}`, commands.join("; "));
};

/** Where docs/operating.md puts the settings. */
const SETTINGS_FILE = "/etc/curtail/curtail.env";

/** Keys of a proxy may be shared with a group. */
const placesOf = (config: Config): ReadonlyArray<Omit<SecretPlace, "mode">> => {
  const { dataDir, openadr3Tls, openadr3MqttKey } = config;
  const own = [dataDir, keyFileOf(config), join(dataDir, "openadr/ca.key"), join(dataDir, "openadr/server.pem")];
  const shared = [openadr3Tls?.key ?? null, openadr3MqttKey, SETTINGS_FILE].filter((path) => path !== null);
  return [
    ...own.map((path) => ({ path, closed: GROUP_AND_OTHERS })),
    ...shared.map((path) => ({ path, closed: OTHERS })),
  ];
};

const modeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ mode }) => mode,
    () => null,
  );

export const lookAtFiles = async (config: Config): Promise<readonly Check[]> => {
  const places = placesOf(config).map(async (place) => ({ ...place, mode: await modeOf(place.path) }));
  return [placesCheck(await Promise.all(places))];
};

/** Whether the key of the settings opens the secrets of the database. */
export const lookAtSecretsKey = async (config: Config, read: Read): Promise<readonly Check[]> => {
  const keys = await findKeys(config);
  const where = config.secretsKeys === null ? keyFileOf(config) : "CURTAIL_SECRETS_KEY";
  if (keys === null)
    return [bad("secrets", `there is no ${where}`, "restore it from the backup, or set CURTAIL_SECRETS_KEY")];
  const check = await read((client) => findSetting(client, CHECK_SETTING));
  if (check === null) return [good("secrets", "the database has none yet")];
  try {
    openCheck(keys, check);
    return [good("secrets", `${where} opens those of the database`)];
  } catch {
    return [
      bad("secrets", `${where} is not the key of the secrets in this database`, "set the key of the other processes"),
    ];
  }
};
