import { lookAgainAtOwed } from "../../dispatch/storage/notice-store.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readFirst, readNumber, readPage } from "../../platform/database/read.js";
import { unlessTaken } from "../../platform/database/unless-taken.js";
import type { ClientRecord, Openadr3Client } from "../domain/client.js";
import type { Openadr3ClientStore } from "../operations/openadr-3-stores.js";

const clientRow = selection("openadr3_clients", [
  "id",
  "role",
  "account_id",
  "environment",
  "name",
  "site_ids",
  "scopes",
  "external_id",
  "previous_secret_until",
  "tokens_from",
  "created_at",
  "revoked_at",
  "last_used_at",
]);
type ClientRow = RowOf<typeof clientRow>;
type RecordRow = ClientRow &
  Row<"openadr3_clients", "secret_hash" | "previous_secret_hash"> & { readonly account_disabled: boolean };

const RECORD = `select ${clientRow.columns}, secret_hash, previous_secret_hash,
    coalesce(accounts.disabled, false) as account_disabled
  from openadr3_clients left join accounts on accounts.id = openadr3_clients.account_id`;

const recordFromRow = (row: RecordRow): ClientRecord => ({
  client: clientRow.camel(row),
  secretHash: row.secret_hash,
  previousSecretHash: row.previous_secret_hash,
  accountDisabled: row.account_disabled,
});

export const openadr3ClientStore = (db: Queryable): Openadr3ClientStore => {
  const one = (condition: string, value: string): Promise<Openadr3Client | null> =>
    readFirst(db, clientRow.camel, `select * from openadr3_clients where ${condition}`, [value]);
  const record = (column: "id" | "external_id", value: string): Promise<ClientRecord | null> =>
    readFirst(db, recordFromRow, {
      name: `openadr3-client-by-${column}`,
      text: `${RECORD} where openadr3_clients.${column} = $1`,
      values: [value],
    });
  return {
    insert(client, secretHash) {
      const { id, role, accountId, environment, name, siteIds, scopes, externalId, tokensFrom, createdAt } = client;
      return unlessTaken(() =>
        db.query(
          `insert into openadr3_clients
             (id, role, account_id, environment, name, site_ids, scopes, external_id, secret_hash, tokens_from, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
          [id, role, accountId, environment, name, siteIds, scopes, externalId, secretHash, tokensFrom, createdAt],
        ),
      );
    },
    find: (id) => one("id = $1", id),
    lock: (id) => one("id = $1 for no key update", id),
    async save({ id, accountId, name, siteIds, scopes, revokedAt }) {
      await db.query(
        "update openadr3_clients set name = $2, site_ids = $3, scopes = $4, revoked_at = $5 where id = $1",
        [id, name, siteIds, scopes, revokedAt],
      );
      if (revokedAt !== null && accountId !== null) await lookAgainAtOwed(db, accountId, revokedAt);
    },
    async rotate({ id, previousSecretUntil, tokensFrom }, secretHash) {
      await db.query(
        `update openadr3_clients set previous_secret_hash = case when $3::timestamptz is null then null else secret_hash end,
           secret_hash = $2, previous_secret_until = $3, tokens_from = $4
         where id = $1`,
        [id, secretHash, previousSecretUntil, tokensFrom],
      );
    },
    list: (accountId, page) =>
      readPage(db, page, clientRow.camel, {
        text: `select * from openadr3_clients
         where account_id is not distinct from $3 and ($1::bigint is null or seq > $1) order by seq limit $2`,
        values: [accountId],
      }),
    countStanding: (accountId) =>
      readNumber(db, "count", {
        text: `select count(*)::int as count from openadr3_clients
         where account_id is not distinct from $1 and revoked_at is null`,
        values: [accountId],
      }),
    record: (id) => record("id", id),
    recordByExternalId: (externalId) => record("external_id", externalId),
    async touch(ids, now) {
      // In order of id, so that two processes recording the same clients do not deadlock.
      await db.query(
        `update openadr3_clients set last_used_at = $2
         where id in (select id from openadr3_clients where id = any($1) order by id for update)
           and (last_used_at is null or last_used_at < $2)`,
        [ids, now],
      );
    },
  };
};
