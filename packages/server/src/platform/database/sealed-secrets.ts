import type pg from "pg";
import {
  addressPlace,
  answerPlace,
  bearerTokensPlace,
  pushKeyPlace,
  pushTargetPlace,
  SEALED_BY_ANY,
  type SecretBox,
  totpPlace,
  webhookPlace,
} from "../secret-box.js";
import { inTransaction } from "./database.js";
import { replaceSetting } from "./setting-store.js";

/** Setting by which keys are known to be those of the database; without it, the database has no encrypted secret. */
export const CHECK_SETTING = "secrets_key_check";

/** Every column that holds a secret, of production and of the sandbox. */
const columns = [
  { table: "users", column: "totp_secret", placeOf: totpPlace },
  { table: "webhooks", column: "secret", placeOf: webhookPlace },
  { table: "webhooks", column: "previous_secret", placeOf: webhookPlace },
  { table: "sandbox.webhooks", column: "secret", placeOf: webhookPlace },
  { table: "sandbox.webhooks", column: "previous_secret", placeOf: webhookPlace },
  { table: "channel_addresses", column: "address", placeOf: addressPlace },
  { table: "push_keys", column: "private_key", placeOf: pushKeyPlace },
  { table: "push_subscriptions", column: "target", placeOf: pushTargetPlace },
  { table: "openadr3_objects", column: "bearer_tokens", placeOf: bearerTokensPlace },
  { table: "kept_answers", column: "answer", placeOf: answerPlace },
  { table: "sandbox.kept_answers", column: "answer", placeOf: answerPlace },
] as const;

/** Encrypts secrets that were stored in plain text, before there were keys. */
export const sealPlainSecrets = (pool: pg.Pool, box: SecretBox): Promise<number> =>
  inTransaction(pool, (client) => sealAgain(client, box, SEALED_BY_ANY.source));

/** Re-encrypts everything with the first key and records that key as this database's, in one transaction. */
export const resealSecrets = (
  pool: pg.Pool,
  box: SecretBox,
  check: { readonly name: string; readonly value: string },
): Promise<number> =>
  inTransaction(pool, async (client) => {
    const count = await sealAgain(client, box, `^${box.prefix}`);
    await replaceSetting(client, check.name, check.value);
    return count;
  });

const AT_ONCE = 1000;

/** Seals what does not match `sealed`; row locks make processes that start together wait for each other. */
const sealAgain = async (client: pg.PoolClient, box: SecretBox, sealed: string): Promise<number> => {
  let count = 0;
  for (const { table, column, placeOf } of columns) {
    for (let found = AT_ONCE; found === AT_ONCE; count += found) {
      const { rows } = await client.query<{ id: string; stored: string }>(
        `select id, ${column} as stored from ${table} where ${column} !~ $1
         order by id limit ${AT_ONCE} for no key update`,
        [sealed],
      );
      const fresh = rows.map(({ id, stored }) => box.seal(box.open(stored, placeOf(id)), placeOf(id)));
      await client.query(
        `update ${table} set ${column} = sealed from unnest($1::text[], $2::text[]) as given (of_id, sealed) where id = of_id`,
        [rows.map(({ id }) => id), fresh],
      );
      found = rows.length;
    }
  }
  return count;
};
