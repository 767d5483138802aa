import { lookAgainAtOwed } from "../../dispatch/storage/notice-store.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { Placed } from "../../platform/database/page.js";
import { matchesOne, readAll, readFirst, readPage } from "../../platform/database/read.js";
import { type SecretBox, webhookPlace } from "../../platform/secret-box.js";
import type { PreviousSecret, Webhook } from "../domain/delivery.js";
import type { WebhookStore } from "../operations/notification-stores.js";
import { dropMessages } from "./delivery-store.js";

const webhookRow = selection("webhooks", ["id", "account_id", "url", "events", "created_at", "interface_version"]);
type WebhookRow = Placed<RowOf<typeof webhookRow>> &
  Row<"webhooks", "secret" | "previous_secret" | "previous_secret_until">;

const webhookOf = (secrets: SecretBox, row: WebhookRow): Webhook => ({
  ...webhookRow.camel(row),
  secret: secrets.open(row.secret, webhookPlace(row.id)),
  previousSecret: previousSecretOf(secrets, row),
});

const previousSecretOf = (
  secrets: SecretBox,
  { id, previous_secret, previous_secret_until }: WebhookRow,
): PreviousSecret | null =>
  previous_secret === null || previous_secret_until === null
    ? null
    : { secret: secrets.open(previous_secret, webhookPlace(id)), until: previous_secret_until };

export const webhookStore = (db: Queryable, secrets: SecretBox): WebhookStore => {
  const fromRow = (row: WebhookRow): Webhook => webhookOf(secrets, row);
  const sealed = (secret: string, id: string): string => secrets.seal(secret, webhookPlace(id));
  return {
    async insert({ id, accountId, url, events, secret, createdAt, interfaceVersion }) {
      await db.query(
        `insert into webhooks (id, account_id, url, events, secret, created_at, interface_version)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [id, accountId, url, events, sealed(secret, id), createdAt, interfaceVersion],
      );
    },
    ofAccount: (accountId) =>
      readAll(db, fromRow, "select * from webhooks where account_id = $1 and deleted_at is null order by seq", [
        accountId,
      ]),
    list: (accountId, page) =>
      readPage(db, page, fromRow, {
        text: `select * from webhooks where account_id = $3 and deleted_at is null and ($1::bigint is null or seq > $1)
       order by seq limit $2`,
        values: [accountId],
      }),
    find: (id, within) =>
      readFirst(db, fromRow, {
        text: "select * from webhooks where id = $1 and deleted_at is null and ($2::text is null or account_id = $2)",
        values: [id, within],
      }),
    // Not `for update`: that would block writers of its deliveries.
    lock: (id, within) =>
      readFirst(db, fromRow, {
        text: `select * from webhooks where id = $1 and deleted_at is null and ($2::text is null or account_id = $2)
       for no key update`,
        values: [id, within],
      }),
    async saveSecrets({ id, secret, previousSecret }) {
      await db.query(
        "update webhooks set secret = $2, previous_secret = $3, previous_secret_until = $4 where id = $1",
        [
          id,
          sealed(secret, id),
          previousSecret === null ? null : sealed(previousSecret.secret, id),
          previousSecret?.until,
        ],
      );
    },
    wasEver: (id, within) =>
      matchesOne(db, "select from webhooks where id = $1 and ($2::text is null or account_id = $2)", [id, within]),
    async remove(accountId, id, now) {
      const removed = await readFirst(db, fromRow, {
        text: "update webhooks set deleted_at = $3 where id = $2 and account_id = $1 and deleted_at is null returning *",
        values: [accountId, id, now],
      });
      if (removed !== null) {
        await dropMessages(db, { of: "recipient", ids: [id], at: now, reason: "webhook_deleted" });
        await lookAgainAtOwed(db, accountId, now);
      }
      return removed;
    },
  };
};
