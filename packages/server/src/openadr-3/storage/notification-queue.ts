import type { ClaimedMessage } from "../../dispatch/domain/message.js";
import type { MailboxChannel } from "../../dispatch/storage/mailbox.js";
import { progressIn } from "../../platform/database/journal-progress.js";
import { bearerTokensPlace, type SecretBox, UnreadableSecret } from "../../platform/secret-box.js";
import type { ClaimedNotification } from "../domain/notification.js";

interface About extends Pick<ClaimedNotification, "url" | "operation" | "objectType" | "object" | "targets"> {
  readonly entry: number;
  readonly bearerTokens: string | null;
}

/** The address is that of now: a subscription may be changed while a notification waits. */
const ABOUT = `(
  select json_build_object('url', subscription.body -> 'objectOperations' -> entry ->> 'callbackUrl', 'operation', operation,
    'objectType', changes.object_type, 'object', object, 'targets', detail -> 'targets', 'entry', entry,
    'bearerTokens', bearer_tokens)
  from openadr3_changes as changes, openadr3_objects as subscription
  where changes.seq = messages.change_seq and subscription.id = messages.recipient)`;

const IS_DISABLED = "exists (select from accounts where accounts.id = due.account_id and disabled)";

/** Part of a statement that writes notifications: notes that there is news of those that follow dispatches. */
export const notificationProgress = (rows: string, at: string): string =>
  progressIn(
    `select dispatch_id, notices.account_id from ${rows} join openadr3_notices as notices using (change_seq, client_id)`,
    { at },
  );

/** Of what follows a dispatch. */
const IS_EVIDENT = `exists (
  select from openadr3_notices as notices where notices.change_seq = held.change_seq and notices.client_id = held.client_id)`;

/** Twice what is sent at the same time. */
const LOOKED_AT = 2048;

/** Of each object a subscription gets one after the other: what waits for a retry holds up nothing else. */
export const notificationChannel = (secrets: SecretBox): MailboxChannel<ClaimedNotification> => ({
  name: "openadr3-notifications",
  channels: ["callback"],
  table: "passing_messages",
  order: "next_attempt_at, seq",
  looksAt: LOOKED_AT,
  perRecipient: 1,
  // Its subscription is gone, or that part of it, or the account is disabled.
  isNeedless: `(${IS_DISABLED} or not exists (
    select from openadr3_objects as subscription
    where subscription.id = due.recipient and subscription.body -> 'objectOperations' -> due.entry is not null))`,
  reason: `case when ${IS_DISABLED} then 'account_disabled' else 'subscription_deleted' end`,
  isHeld: `due.seq <> (
    select earlier.seq from passing_messages as earlier
    where earlier.recipient = due.recipient and earlier.subject = due.subject and earlier.entry = due.entry
      and earlier.state = 'pending' order by earlier.seq limit 1)`,
  waitsSince: "created_at",
  about: ABOUT,
  evident: IS_EVIDENT,
  progress: notificationProgress,
  claimedOf: (message) => notificationOf(secrets, message, message.about as About),
});

const notificationOf = (
  secrets: SecretBox,
  { id, recipient, failures, leasedUntil }: ClaimedMessage,
  { entry, bearerTokens, ...about }: About,
): ClaimedNotification => ({
  ...about,
  id,
  subscriptionId: recipient,
  bearerToken: bearerTokens === null ? null : (openedTokens(secrets, recipient, bearerTokens)[entry] ?? null),
  failures,
  leasedUntil,
});

/** Tokens that cannot be decrypted must not hold up the notifications of others: the receiver refuses these. */
const openedTokens = (secrets: SecretBox, subscriptionId: string, sealed: string): ReadonlyArray<string | null> => {
  try {
    return JSON.parse(secrets.open(sealed, bearerTokensPlace(subscriptionId))) as Array<string | null>;
  } catch (error) {
    if (error instanceof UnreadableSecret) return [];
    throw error;
  }
};
