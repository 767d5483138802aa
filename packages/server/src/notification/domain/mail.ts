import { DAY_MS } from "../../platform/period.js";
import type { WebhookEventName } from "./webhook.js";

/** A person to send mail to. */
export interface Recipient {
  readonly name: string;
  readonly email: string;
}

/** A recipient of a mail, and whether the mail server accepted it for them. */
export interface HandedTo extends Recipient {
  readonly accepted: boolean;
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
  readonly recipients: readonly Recipient[];
}

/** A mail that cannot be sent: its account has no contacts, or there is no mail server. */
export interface UnsendableMail extends Pick<ClaimedMail, "id" | "accountId" | "dispatchId" | "event"> {
  readonly state: "no_contacts" | "kept";
}

/** The outcome of offering a mail to a mail server. */
export type MailOutcome =
  /** With the modification of the dispatch that it described. */
  | {
      readonly state: "sent";
      readonly at: Date;
      readonly recipients: readonly HandedTo[];
      readonly modificationNumber: number;
    }
  | { readonly state: "waiting"; readonly nextAttemptAt: Date; readonly error: string }
  | { readonly state: "expired"; readonly at: Date; readonly error: string };

const firstDelaysSeconds = [10, 30, 60] as const; // G31
const LATER_DELAY_SECONDS = 300; // G31
export const ALARMING_FAILURES = 3; // G31

/** Delay after a number of failures; null once the mail is a day old. */
export const mailDelayAfterMs = (failures: number, ageMs: number): number | null =>
  ageMs >= DAY_MS ? null : (firstDelaysSeconds[failures - 1] ?? LATER_DELAY_SECONDS) * 1000;

export const isAlarming = (failures: number): boolean => failures >= ALARMING_FAILURES;

export const refusedOf = (recipients: readonly HandedTo[]): number =>
  recipients.filter(({ accepted }) => !accepted).length;
