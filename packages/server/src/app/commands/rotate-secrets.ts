import type pg from "pg";
import { isServed } from "../../platform/database/database-check.js";
import { CHECK_SETTING, resealSecrets } from "../../platform/database/sealed-secrets.js";
import { replaceFile } from "../../platform/private-file.js";
import { newKey, writtenKey } from "../../platform/runtime/secret-cipher.js";
import { checkBy, KeyFault, type KeySettings, keyFileOf, keysOf, secretBox } from "../wire/secret-keys.js";
import { openDatabase } from "./open-database.js";
import { runOnce } from "./run-until-stopped.js";

/**
 * `curtail rotate-secrets`: re-encrypts every secret with the first configured key, or with a new one in the key file.
 */
export const rotateSecrets = (): Promise<void> =>
  runOnce("the secrets were not rotated", async (opening) => {
    const { config } = opening;
    const pool = await openDatabase(opening);
    // A running service has already read the file, and could not decrypt with the new key.
    if (config.secretsKeys === null && (await isServed(pool)))
      throw new KeyFault(
        "The service is running on this database. Stop it first: it reads secrets.key only at startup.",
      );
    const count = await rotateAll(pool, config);
    const next = config.secretsKeys === null ? "" : "; the other keys may now be removed from CURTAIL_SECRETS_KEY";
    process.stdout.write(`${count} secrets were re-encrypted${next}\n`);
  });

/** Returns how many secrets were re-encrypted. */
export const rotateAll = async (pool: pg.Pool, settings: KeySettings): Promise<number> => {
  const keys = await keysOf(pool, settings);
  if (settings.secretsKeys !== null) return reseal(pool, keys);
  const fresh = newKey();
  const file = keyFileOf(settings);
  // Both keys until it is done: a process killed in between finds the one it needs.
  await replaceFile(file, [fresh, ...keys].map(writtenKey).join(""));
  const count = await reseal(pool, [fresh, ...keys]);
  await replaceFile(file, writtenKey(fresh));
  return count;
};

const reseal = (pool: pg.Pool, keys: readonly [Buffer, ...Buffer[]]): Promise<number> =>
  resealSecrets(pool, secretBox(keys), { name: CHECK_SETTING, value: checkBy(keys) });
