import { DAY_MS } from "../../platform/period.js";
import type { WebhookEventName } from "./webhook.js";

/** A person to send mail to. */
export interface Recipient {
  readonly name: string;
  readonly email: string;
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
export interface ClaimedMail {
  readonly id: string;
  readonly accountId: string;
  readonly dispatchId: string;
  readonly event: WebhookEventName;
  readonly failures: number;
  readonly createdAt: Date;
  readonly leasedUntil: Date;
  /** The current contacts, not those at the time of failure. */
  readonly contacts: readonly Recipient[];
  /** Those of them that neither have it nor were refused for good. */
  readonly recipients: readonly Recipient[];
  /** Whether another recipient has it already. */
  readonly isSent: boolean;
}

/** A mail that cannot be sent: its account has no contacts, or there is no mail server. */
export interface UnsendableMail extends Pick<ClaimedMail, "id" | "accountId" | "dispatchId" | "event"> {
  readonly state: "no_contacts" | "kept";
}

/** A mail as it was handed over, and what the mail server answered for each recipient. */
export interface MailHandover {
  readonly recipients: readonly HandedTo[];
  readonly modificationNumber: number;
  readonly subject: string;
  readonly text: string;
}

/** The outcome of offering a mail to a mail server. */
export interface MailOutcome {
  /** sent: at least one recipient has it. */
  readonly state: "sent" | "waiting" | "expired";
  readonly at: Date;
  /** null: the mail server answered for no recipient. */
  readonly handover: MailHandover | null;
  /** When those without it are tried again; null: nobody is left, or it is given up. */
  readonly nextAttemptAt: Date | null;
  /** Why somebody does not have it yet; null: everybody has it. */
  readonly error: string | null;
}

/** The outcome of an attempt, for a mail that is tried for a day (G31, G62). */
export const mailOutcome = (
  { failures, createdAt, isSent }: Pick<ClaimedMail, "failures" | "createdAt" | "isSent">,
  { handover, error }: Pick<MailOutcome, "handover" | "error">,
  at: Date,
): MailOutcome => {
  const hasIt = isSent || (handover?.recipients.some(({ answer }) => answer === "accepted") ?? false);
  const isDone = error === null;
  const delayMs = isDone ? null : mailDelayAfterMs(failures + 1, at.getTime() - createdAt.getTime());
  const nextAttemptAt = delayMs === null ? null : new Date(at.getTime() + delayMs);
  const state = hasIt ? "sent" : nextAttemptAt === null ? "expired" : "waiting";
  return { state, at, handover, nextAttemptAt, error };
};

const firstDelaysSeconds = [10, 30, 60] as const; // G31
const LATER_DELAY_SECONDS = 300; // G31
export const ALARMING_FAILURES = 3; // G31

/** Delay after a number of failures; null once the mail is a day old. */
export const mailDelayAfterMs = (failures: number, ageMs: number): number | null =>
  ageMs >= DAY_MS ? null : (firstDelaysSeconds[failures - 1] ?? LATER_DELAY_SECONDS) * 1000;

export const isAlarming = (failures: number): boolean => failures >= ALARMING_FAILURES;

export const refusedOf = (recipients: readonly HandedTo[]): number =>
  recipients.filter(({ answer }) => answer !== "accepted").length;
