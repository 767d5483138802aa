import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { DispatchView } from "../../dispatch/operations/dispatch-service.js";
import type { Clock } from "../../platform/clock.js";
import type { Claim } from "../../platform/lease.js";
import {
  type ClaimedMail,
  type MailHandover,
  type MailOutcome,
  mailOutcome,
  type UnsendableMail,
} from "../domain/mail.js";

/** The queue of mails, shared by any number of workers. */
export interface MailQueue {
  /** Claims due mails until the lease ends, and settles those that cannot be sent, even if no more may be claimed. */
  claim(claim: MailClaim): Promise<MailLook>;
  /** Extends leases that are still held; returns the mails concerned. */
  renew(mails: readonly ClaimedMail[], leasedUntil: Date): Promise<readonly string[]>;
  /** A failure under a lease that another worker took over changes nothing. */
  record(mail: ClaimedMail, outcome: MailOutcome): Promise<void>;
}

export interface MailClaim extends Claim {
  /** false: there is no mail server, and all mails are kept. */
  readonly hasServer: boolean;
}

export interface MailLook {
  readonly claimed: readonly ClaimedMail[];
  /** Settled by this look; there may be more. */
  readonly unsendable: readonly UnsendableMail[];
}

/** `ok`: the mail server answered for each recipient. */
export type Handover =
  | ({ readonly ok: true } & Omit<MailHandover, "modificationNumber">)
  | { readonly ok: false; readonly error: string };

/** Hands a mail over to the mail server; never throws. */
export type SendMail = (mail: ClaimedMail, dispatch: Dispatch) => Promise<Handover>;

export interface MailPorts {
  readonly queue: MailQueue;
  readonly clock: Clock;
  readonly dispatches: Pick<DispatchView, "findSeenBy">;
  /** null: there is no mail server. */
  readonly send: SendMail | null;
}

/** Mails the current state of the dispatch to the account's contacts, and returns the outcome. */
export const attemptMail = async (
  { clock, dispatches, send }: Omit<MailPorts, "queue">,
  mail: ClaimedMail,
): Promise<MailOutcome> => {
  if (send === null) throw new Error(`mail ${mail.id} was claimed, but there is no mail server`);
  const dispatch = await dispatches.findSeenBy(mail.accountId, mail.dispatchId);
  if (dispatch === null) throw new Error(`mail ${mail.id} is about a dispatch that has no site of its account`);
  const handed = await send(mail, dispatch);
  const at = clock.now();
  if (!handed.ok) return mailOutcome(mail, { handover: null, error: handed.error }, at);
  const { recipients, subject, text } = handed;
  const error = recipients.find(({ answer }) => answer !== "accepted")?.reply ?? null;
  const handover = { recipients, subject, text, modificationNumber: dispatch.modificationNumber };
  return mailOutcome(mail, { handover, error }, at);
};
