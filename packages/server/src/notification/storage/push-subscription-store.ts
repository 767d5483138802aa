import { createHash } from "node:crypto";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { matchesOne, readAll, readFirst } from "../../platform/database/read.js";
import { pushKeyPlace, pushTargetPlace, type SecretBox, UnreadableSecret } from "../../platform/secret-box.js";
import type { PushTarget } from "../domain/push-subscription.js";
import type { PushSubscriptionStore } from "../operations/manage-push-subscriptions.js";

const subscriptionRow = selection("push_subscriptions", [
  "id",
  "user_id",
  "session_id",
  "name",
  "created_at",
  "last_success_at",
  "last_error",
]);

/** Condition on a subscription: nobody ended its session. One that only expired may still be pushed to. */
export const IS_SUBSCRIBED =
  "exists (select from sessions where sessions.id = push_subscriptions.session_id and revoked_at is null)";

/** The target of a row; null if it cannot be decrypted, which must not hold up others. */
export const openedTarget = (box: SecretBox, id: string, target: string): PushTarget | null => {
  try {
    return JSON.parse(box.open(target, pushTargetPlace(id))) as PushTarget;
  } catch (error) {
    if (error instanceof UnreadableSecret) return null;
    throw error;
  }
};

export const pushSubscriptionStore = (db: Queryable, box: SecretBox): PushSubscriptionStore => ({
  ofUser: (userId) =>
    readAll(db, subscriptionRow.camel, {
      text: `select ${subscriptionRow.columns} from push_subscriptions where user_id = $1 and ${IS_SUBSCRIBED} order by seq`,
      values: [userId],
    }),
  find(userId, id) {
    const fromRow = (row: RowOf<typeof subscriptionRow> & { readonly target: string }) => ({
      subscription: subscriptionRow.camel(row),
      target: openedTarget(box, row.id, row.target),
    });
    return readFirst(db, fromRow, {
      text: `select ${subscriptionRow.columns}, target from push_subscriptions
       where user_id = $1 and id = $2 and ${IS_SUBSCRIBED}`,
      values: [userId, id],
    });
  },
  async save(subscription, target) {
    const { id, userId, sessionId, name, createdAt } = subscription;
    const hash = createHash("sha256").update(target.endpoint).digest();
    // Another person's browser becomes a new one: its id and its evidence stay with that person.
    await db.query(
      `delete from push_subscriptions where endpoint_hash = $1 and (user_id <> $2 or not ${IS_SUBSCRIBED})`,
      [hash, userId],
    );
    const saved = await readFirst(db, subscriptionRow.camel, {
      text: `insert into push_subscriptions (id, user_id, session_id, endpoint_hash, target, host, name, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (endpoint_hash) do update set session_id = excluded.session_id, name = excluded.name
       returning ${subscriptionRow.columns}`,
      values: [
        id,
        userId,
        sessionId,
        hash,
        box.seal(JSON.stringify(target), pushTargetPlace(id)),
        new URL(target.endpoint).host,
        name,
        createdAt,
      ],
    });
    return saved ?? subscription;
  },
  remove: (userId, id) => matchesOne(db, "delete from push_subscriptions where user_id = $1 and id = $2", [userId, id]),
  async noteAttempt(id, at, error) {
    await db.query(
      `update push_subscriptions set last_error = $3,
         last_success_at = case when $3::text is null then $2 else last_success_at end
       where id = $1`,
      [id, at, error],
    );
  },
});

/** The key pair of RFC 8292, in base64url. */
interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const ID = "vapid";

/** The service's key pair; created at the first use. Replacing it would void every subscription. */
export const findPushKeys = async (db: Queryable, box: SecretBox, newKeys: () => PushKeys): Promise<PushKeys> => {
  const known = await readKeys(db, box);
  if (known !== null) return known;
  const { publicKey, privateKey } = newKeys();
  // Of processes that start together, the first one's stay.
  await db.query("insert into push_keys (id, public_key, private_key) values ($1, $2, $3) on conflict do nothing", [
    ID,
    publicKey,
    box.seal(privateKey, pushKeyPlace(ID)),
  ]);
  const kept = await readKeys(db, box);
  if (kept === null) throw new Error("the key pair for push messages was not stored");
  return kept;
};

const readKeys = async (db: Queryable, box: SecretBox): Promise<PushKeys | null> => {
  const { rows } = await db.query<Row<"push_keys", "public_key" | "private_key">>(
    "select public_key, private_key from push_keys where id = $1",
    [ID],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return { publicKey: row.public_key, privateKey: box.open(row.private_key, pushKeyPlace(ID)) };
};
