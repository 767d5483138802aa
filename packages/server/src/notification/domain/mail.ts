import type { ClaimedMessage, MessageOutcome } from "../../dispatch/domain/message.js";
import { DAY_MS } from "../../platform/period.js";
import type { WebhookEventName } from "./webhook.js";

/** A person to send mail to. */
export interface Recipient {
  readonly name: string;
  readonly email: string;
}

/** A recipient with the language that the person chose; null: none. */
export interface Addressee extends Recipient {
  readonly language: string | null;
}

/** What the mail server answered for a recipient: refused for now (4xx), or for good (5xx). */
export type MailAnswer = "accepted" | "deferred" | "refused";

/** A recipient of a mail, and the mail server's answer. */
export interface HandedTo extends Recipient {
  readonly answer: MailAnswer;
  /** Its words; null if it accepted the mail. */
  readonly reply: string | null;
}

/** A mail to an account's contacts, held by one worker until its lease ends. */
export interface ClaimedMail extends ClaimedMessage {
  readonly accountId: string;
  readonly event: WebhookEventName;
  /** The current contacts, not those at the time of failure. */
  readonly contacts: readonly Addressee[];
  /** Those of them that neither have it nor were refused for good. */
  readonly recipients: readonly Addressee[];
  /** Of those who chose none. */
  readonly accountLanguage: string | null;
  /** Whether another recipient has it already. */
  readonly isSent: boolean;
}

/** A mail as it was handed over, and what the mail server answered for each recipient. */
export interface MailHandover {
  readonly recipients: readonly HandedTo[];
  readonly modificationNumber: number;
  readonly subject: string;
  readonly text: string;
}

/** What an attempt came to, with what the mail server answered for recipients, if for any. */
export type MailOutcome = MessageOutcome & { readonly evidence?: { readonly handovers: readonly MailHandover[] } };

/** What became of a mail that was offered to a mail server. */
interface Offered {
  /** One for each language; none: the mail server answered for no recipient. */
  readonly handovers: readonly MailHandover[];
  /** Why somebody does not have it yet; null: everybody has it. */
  readonly error: string | null;
}

/** The outcome of an attempt, for a mail that is tried for a day (G31, G62). */
export const mailOutcome = (
  { failures, createdAt, isSent }: Pick<ClaimedMail, "failures" | "createdAt" | "isSent">,
  { handovers, error }: Offered,
  at: Date,
): MailOutcome => {
  const taken = handovers.find(({ recipients }) => recipients.some(({ answer }) => answer === "accepted"));
  const hasNew = taken !== undefined;
  const modification = taken?.modificationNumber ?? null;
  const evidence = handovers.length === 0 ? {} : { evidence: { handovers } };
  const delayMs = error === null ? null : mailDelayAfterMs(failures + 1, at.getTime() - createdAt.getTime());
  if (delayMs !== null)
    return { state: "pending", at, nextAttemptAt: new Date(at.getTime() + delayMs), error, modification, ...evidence };
  if (!isSent && !hasNew) return { state: "failed", at, reason: "expired", error, ...evidence };
  return { state: "delivered", at, modification, kept: error === null ? {} : { error }, ...evidence };
};

/** The outcome for a mail that nobody is left for: it waits for a corrected contact, for a day. */
export const uncorrectedOutcome = (
  { createdAt, isSent }: Pick<ClaimedMail, "createdAt" | "isSent">,
  at: Date,
): MailOutcome => {
  if (at.getTime() - createdAt.getTime() < DAY_MS)
    return { state: "pending", at, nextAttemptAt: new Date(at.getTime() + CORRECTED_MS), error: null };
  if (!isSent) return { state: "failed", at, reason: "expired", error: null };
  return { state: "delivered", at, modification: null, kept: {} };
};

/** How soon a corrected contact gets the mail. */
const CORRECTED_MS = 60_000;
const firstDelaysSeconds = [10, 30, 60] as const; // G31
const LATER_DELAY_SECONDS = 300; // G31
export const ALARMING_FAILURES = 3; // G31

/** Delay after a number of failures; null once the mail is a day old. */
export const mailDelayAfterMs = (failures: number, ageMs: number): number | null =>
  ageMs >= DAY_MS ? null : (firstDelaysSeconds[failures - 1] ?? LATER_DELAY_SECONDS) * 1000;

export const isAlarming = (failures: number): boolean => failures >= ALARMING_FAILURES;
