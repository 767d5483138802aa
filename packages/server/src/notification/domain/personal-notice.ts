import type { LanguageChoice } from "../../access/domain/language.js";
import type { MessageOutcome } from "../../dispatch/domain/message.js";
import { delayAfterMs } from "../../platform/attempt.js";
import { DAY_MS } from "../../platform/period.js";
import { type NoticePreferences, quietUntil } from "./notice-preferences.js";
import type { PushTarget } from "./push-subscription.js";
import type { WebhookEventName } from "./webhook.js";

/** What a personal notice is about. */
export type NoticeSubject =
  | { readonly of: "dispatch"; readonly dispatchId: string; readonly event: WebhookEventName }
  | { readonly of: "alarm"; readonly alarm: NoticedAlarm };

export interface NoticedAlarm {
  readonly id: string;
  readonly kind: string;
  /** null: of the service itself. */
  readonly accountName: string | null;
  /** Of the dispatch that it names; null: none. */
  readonly programName: string | null;
  /** Whether the notice tells of its end (G72). */
  readonly isOver: boolean;
}

/** How a person is notified. */
export type PersonalTarget =
  | { readonly channel: "mail"; readonly name: string; readonly email: string }
  /** null: the address cannot be decrypted. */
  | { readonly channel: "push"; readonly subscriptionId: string; readonly push: PushTarget | null };

/** A notice to a person, held by one worker until its lease ends. */
export interface PersonalNotice extends Pick<NoticePreferences, "quietHours" | "timezone"> {
  readonly id: string;
  readonly userId: string;
  /** Of the person; null for operators. */
  readonly accountId: string | null;
  readonly language: LanguageChoice;
  readonly target: PersonalTarget;
  readonly subject: NoticeSubject;
  readonly failures: number;
  readonly createdAt: Date;
  readonly leasedUntil: Date;
}

export interface ClaimedPersonalNotice extends PersonalNotice {
  /** Of the push service; null for mail. */
  readonly host: string | null;
}

/** The result of sending. */
export type PersonalSent =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: string; readonly end: PersonalEnd | null };

/** Why another attempt would fail, too: the browser discarded its subscription, or the mail server refused the address. */
export type PersonalEnd = "gone" | "refused";

/** After the quick retries of webhooks (G30). */
const LATER_DELAY_MS = 300_000;

/** When an alarm in quiet hours is due; null: now. Dispatches and their changes never wait. */
export const heldUntil = (notice: Pick<PersonalNotice, "subject" | "quietHours" | "timezone">, now: Date) =>
  notice.subject.of === "alarm" ? quietUntil(notice, now) : null;

interface OutcomeContext {
  readonly now: Date;
  readonly random: number;
  /** Of the dispatch; null: an alarm. */
  readonly modificationNumber: number | null;
}

/** The outcome of an attempt: retried for a day, unless the browser is gone or the address was refused for good. */
export const outcomeOf = (
  { failures, createdAt }: Pick<PersonalNotice, "failures" | "createdAt">,
  sent: PersonalSent,
  { now, random, modificationNumber }: OutcomeContext,
): MessageOutcome => {
  if (sent.ok) return { state: "delivered", at: now, modification: modificationNumber, kept: { text: sent.text } };
  const { error, end } = sent;
  const reason = end ?? (now.getTime() - createdAt.getTime() >= DAY_MS ? "expired" : null);
  if (reason !== null) return { state: "failed", at: now, reason, error };
  const delayMs = delayAfterMs(failures + 1, random) ?? LATER_DELAY_MS;
  return { state: "pending", at: now, nextAttemptAt: new Date(now.getTime() + delayMs), error };
};

/** Alarms of an account that its own people can act on. */
export const participantAlarms = [
  "notice_failed",
  "ven_silent",
  "ven_error",
  "openadr3_silent",
  "certificate_expiring",
] as const;
