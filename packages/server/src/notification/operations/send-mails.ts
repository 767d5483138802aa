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

/** Hands a mail over to the mail server, once in each language of its recipients; never throws. */
export type SendMail = (mail: ClaimedMail, dispatch: Dispatch) => Promise<readonly Handover[]>;

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
  const { modificationNumber } = dispatch;
  const handovers = handed.flatMap((each) => {
    if (!each.ok) return [];
    const { recipients, subject, text } = each;
    return [{ recipients, subject, text, modificationNumber }];
  });
  return mailOutcome(
    mail,
    { handovers, error: handed.map(errorOf).find((error) => error !== null) ?? null },
    clock.now(),
  );
};

/** Why somebody does not have it yet. */
const errorOf = (handed: Handover): string | null =>
  handed.ok ? (handed.recipients.find(({ answer }) => answer !== "accepted")?.reply ?? null) : handed.error;
