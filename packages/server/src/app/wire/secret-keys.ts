import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { CHECK_SETTING, sealPlainSecrets } from "../../platform/database/sealed-secrets.js";
import { findSetting, keepFirst } from "../../platform/database/setting-store.js";
import { NewerFormat } from "../../platform/newer-format.js";
import { readText, writeOnce } from "../../platform/private-file.js";
import type { Config } from "../../platform/runtime/config.js";
import {
  decrypt,
  derivedKey,
  encrypt,
  keyIdOf,
  newKey,
  parseKeys,
  writtenKey,
} from "../../platform/runtime/secret-cipher.js";
import { hashToken } from "../../platform/runtime/secrets.js";
import { isSealedByNewer, SEALED, type SecretBox, UnreadableSecret } from "../../platform/secret-box.js";

export type KeySettings = Pick<Config, "dataDir" | "secretsKeys">;

/** The start cannot continue until a setting or a file is corrected. */
export class KeyFault extends Error {}

const prefixOf = (key: Buffer): string => `${SEALED}${keyIdOf(key)}:`;

/** Opens with any of the keys and seals with the first. */
export const secretBox = (keys: readonly [Buffer, ...Buffer[]]): SecretBox => {
  const [first] = keys;
  const byPrefix = keys.map((key) => ({ prefix: prefixOf(key), key }));
  const [, ...others] = keys;
  return {
    prefix: prefixOf(first),
    derive: (purpose) => [derivedKey(first, purpose), ...others.map((key) => derivedKey(key, purpose))],
    seal: (plain, place) => prefixOf(first) + encrypt(first, plain, place).toString("base64"),
    open(stored, place) {
      if (isSealedByNewer(stored)) throw new UnreadableSecret(`the ${place} was encrypted by a newer version`);
      if (!stored.startsWith(SEALED)) return stored;
      const found = byPrefix.find(({ prefix }) => stored.startsWith(prefix));
      if (found === undefined) throw new UnreadableSecret(`the ${place} is encrypted with a key that is not available`);
      try {
        return decrypt(found.key, Buffer.from(stored.slice(found.prefix.length), "base64"), place);
      } catch (error) {
        throw new UnreadableSecret(`the ${place} was changed or moved after it was encrypted`, { cause: error });
      }
    },
  };
};

/** Tells one service from another, by the secrets key that its processes share; the one that they show is the first. */
export const identitiesOf = (box: Pick<SecretBox, "derive">): readonly string[] =>
  box.derive("identity of the service").map(({ key }) => hashToken(key.toString("hex")).toString("hex").slice(0, 32));

const CHECK_PLACE = "check of the secrets key";

export const keyFileOf = ({ dataDir }: KeySettings): string => join(dataDir, "secrets.key");

/** The keys of the setting or the file; null if there are none. */
export const findKeys = async (settings: KeySettings): Promise<readonly [Buffer, ...Buffer[]] | null> => {
  const file = keyFileOf(settings);
  const text = settings.secretsKeys === null ? await readText(file) : null;
  if (settings.secretsKeys === null && text === null) return null;
  const [first, ...rest] = settings.secretsKeys ?? parseKeys(text ?? "") ?? [];
  if (first === undefined)
    throw new KeyFault(`${file} does not contain a key (one line, 32 bytes in base64). Restore it from the backup.`);
  return [first, ...rest];
};

/** The keys of this database; created at the first start. Throws a `KeyFault` rather than use other ones. */
export const keysOf = async (pool: pg.Pool, settings: KeySettings): Promise<readonly [Buffer, ...Buffer[]]> => {
  const keys = (await findKeys(settings)) ?? (await madeKeys(pool, settings));
  await keepFirst(pool, CHECK_SETTING, checkBy(keys));
  const check = (await findSetting(pool, CHECK_SETTING)) ?? "";
  try {
    openCheck(keys, check);
    return keys;
  } catch (error) {
    if (error instanceof NewerFormat) throw error;
    const where = settings.secretsKeys === null ? keyFileOf(settings) : "CURTAIL_SECRETS_KEY";
    throw new KeyFault(
      `${where} is not the key that encrypts the secrets in this database. Set the right one; if several ` +
        "processes share the database, all of them need the same CURTAIL_SECRETS_KEY.",
      { cause: error },
    );
  }
};

/** Throws unless one of the keys is that of the database whose check this is. */
export const openCheck = (keys: readonly [Buffer, ...Buffer[]], check: string): void => {
  if (isSealedByNewer(check)) throw new NewerFormat(CHECK_PLACE);
  secretBox(keys).open(check, CHECK_PLACE);
};

export const checkBy = (keys: readonly [Buffer, ...Buffer[]]): string => secretBox(keys).seal("curtail", CHECK_PLACE);

const madeKeys = async (pool: pg.Pool, settings: KeySettings): Promise<readonly [Buffer, ...Buffer[]]> => {
  const file = keyFileOf(settings);
  if ((await findSetting(pool, CHECK_SETTING)) !== null) {
    // A process that starts at the same time with the same directory may just have created them.
    const made = await findKeys(settings);
    if (made !== null) return made;
    throw new KeyFault(
      `The secrets in this database are encrypted with a key that is not available: restore secrets.key to ` +
        `${settings.dataDir} from the backup, or set CURTAIL_SECRETS_KEY to the content of that file.`,
    );
  }
  await mkdir(settings.dataDir, { recursive: true });
  await writeOnce(file, writtenKey(newKey()));
  const keys = await findKeys(settings);
  if (keys === null) throw new KeyFault(`${file} could not be created`);
  return keys;
};

/** Opens the box of this database's secrets, and encrypts those still in plain text. */
export const openSecretBox = async (pool: pg.Pool, settings: KeySettings): Promise<SecretBox> => {
  const box = secretBox(await keysOf(pool, settings));
  await sealPlainSecrets(pool, box);
  return box;
};
