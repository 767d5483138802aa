import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll, readFirst, readNumber, readPage } from "../../platform/database/read.js";
import type { KeyStore } from "../operations/access-stores.js";

const keyRow = selection("api_keys", [
  "id",
  "account_id",
  "environment",
  "claim_expires_at",
  "claimed_at",
  "expires_at",
  "revoked_at",
  "last_used_at",
  "created_at",
]);
type KeyRow = RowOf<typeof keyRow>;

type FoundRow = KeyRow &
  Row<"api_keys", "secret_hash"> & { readonly account_disabled: boolean; readonly kwh_stamp: number };

const foundFrom = (row: FoundRow) => ({
  key: keyRow.camel(row),
  secretHash: row.secret_hash,
  accountDisabled: row.account_disabled,
  kwhStamp: row.kwh_stamp,
});

export const keyStore = (db: Queryable): KeyStore => ({
  async insert(key, claimTokenHash) {
    await db.query(
      `insert into api_keys (id, account_id, environment, claim_token_hash, claim_expires_at, expires_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [key.id, key.accountId, key.environment, claimTokenHash, key.claimExpiresAt, key.expiresAt, key.createdAt],
    );
  },
  // Locked: if two people open the link at once, only one sees the key.
  findUnclaimed: (claimTokenHash, now) =>
    readFirst(db, keyRow.camel, {
      text: `select * from api_keys
       where claim_token_hash = $1 and claimed_at is null and revoked_at is null and claim_expires_at > $2
       for update`,
      values: [claimTokenHash, now],
    }),
  async claim(id, secretHash, now) {
    await db.query("update api_keys set secret_hash = $2, claimed_at = $3 where id = $1", [id, secretHash, now]);
  },
  find: (id) =>
    readFirst(db, foundFrom, {
      name: "find-key",
      text: `select ${keyRow.columns}, api_keys.secret_hash, accounts.disabled as account_disabled, kwh_stamp
             from api_keys join accounts on accounts.id = api_keys.account_id
             where api_keys.id = $1`,
      values: [id],
    }),
  accepted: (ids, now) =>
    readAll(db, ({ id }: Row<"api_keys", "id">) => id, {
      name: "accepted-keys",
      text: `select api_keys.id from api_keys join accounts on accounts.id = api_keys.account_id
             where api_keys.id = any($1) and claimed_at is not null and revoked_at is null
               and (expires_at is null or expires_at > $2) and not accounts.disabled`,
      values: [ids, now],
    }),
  revoke: (id, within, now) =>
    readFirst(db, keyRow.camel, {
      text: `update api_keys set revoked_at = coalesce(revoked_at, $3)
       where id = $1 and ($2::text is null or account_id = $2) returning *`,
      values: [id, within, now],
    }),
  countStanding: (accountId, environment, now) =>
    readNumber(db, "count", {
      text: `select count(*)::int as count from api_keys
       where account_id = $1 and environment = $2 and revoked_at is null and (expires_at is null or expires_at > $3)
         and (claimed_at is not null or claim_expires_at > $3)`,
      values: [accountId, environment, now],
    }),
  list: (accountId, page) =>
    readPage(db, page, keyRow.camel, {
      text: "select * from api_keys where account_id = $3 and ($1::bigint is null or seq > $1) order by seq limit $2",
      values: [accountId],
    }),
  async touch(ids, now) {
    // In order of id, so that two processes recording the same keys do not deadlock.
    await db.query(
      `update api_keys set last_used_at = $2
       where id in (select id from api_keys where id = any($1) order by id for update)
         and (last_used_at is null or last_used_at < $2)`,
      [ids, now],
    );
  },
});
