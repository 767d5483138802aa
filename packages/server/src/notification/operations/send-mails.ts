import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { DispatchView } from "../../dispatch/operations/dispatch-service.js";
import type { MessageQueue } from "../../dispatch/operations/message-queue.js";
import type { Clock } from "../../platform/clock.js";
import {
  type ClaimedMail,
  type MailHandover,
  type MailOutcome,
  mailOutcome,
  uncorrectedOutcome,
} from "../domain/mail.js";

/** `ok`: the mail server answered for each recipient. */
export type Handover =
  | ({ readonly ok: true } & Omit<MailHandover, "modificationNumber">)
  | { readonly ok: false; readonly error: string };

/** Hands a mail over to the mail server; never throws. */
export type SendMail = (mail: ClaimedMail, dispatch: Dispatch) => Promise<Handover>;

export interface MailPorts {
  readonly queue: MessageQueue<ClaimedMail>;
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
  if (mail.recipients.length === 0) return uncorrectedOutcome(mail, clock.now());
  const dispatch = await dispatches.findSeenBy(mail.accountId, mail.subject);
  if (dispatch === null) throw new Error(`mail ${mail.id} is about a dispatch that has no site of its account`);
  const handed = await send(mail, dispatch);
  const at = clock.now();
  if (!handed.ok) return mailOutcome(mail, { handover: null, error: handed.error }, at);
  const { recipients, subject, text } = handed;
  const error = recipients.find(({ answer }) => answer !== "accepted")?.reply ?? null;
  return mailOutcome(
    mail,
    { handover: { recipients, subject, text, modificationNumber: dispatch.modificationNumber }, error },
    at,
  );
};
