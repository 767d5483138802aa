import type { WordsFor } from "../../access/domain/language.js";
import type { MessageKept, MessageOutcome } from "../../dispatch/domain/message.js";
import type { DispatchView } from "../../dispatch/operations/dispatch-service.js";
import type { MessageQueue } from "../../dispatch/operations/message-queue.js";
import type { SentAttempt } from "../../platform/attempt.js";
import type { AddressedChannel } from "../../platform/channel.js";
import type { Clock } from "../../platform/clock.js";
import { type AddressTarget, type ClaimedAddressedMessage, type Said, textOfSaid } from "../domain/channel-address.js";
import { isRefusingStatus, outcomeOfFailure } from "../domain/handover.js";
import { noticeSaid } from "../domain/notice-said.js";
import { unreadable } from "../domain/webhook.js";

/** What dispatch notices say at addresses. */
export interface AddressedMessages {
  /** Makes a message for each address of the accounts of these notices. */
  ofNotices(seqs: readonly number[], at: Date): Promise<void>;
}

/** One attempt; never throws for failures of the network or the receiver. */
export type SendSaid = (channel: AddressedChannel, said: Said, target: AddressTarget) => Promise<SentAttempt>;

export interface AddressedPorts {
  readonly queue: MessageQueue<ClaimedAddressedMessage>;
  readonly clock: Clock;
  readonly dispatches: Pick<DispatchView, "findSeenBy">;
  /** Base address of participants' pages. */
  readonly pages: string;
  readonly wordsFor: WordsFor;
  /** As whom the service speaks. */
  readonly service: string;
  readonly send: SendSaid;
}

/** Says the current state of the dispatch at the address, and returns the outcome. */
export const attemptAddressedMessage = async (
  { clock, dispatches, pages, wordsFor, service, send }: Omit<AddressedPorts, "queue">,
  message: ClaimedAddressedMessage,
): Promise<MessageOutcome> => {
  const { accountId, subject, channel, event, target } = message;
  const words = wordsFor({ own: null, account: message.accountLanguage });
  const dispatch = await dispatches.findSeenBy(accountId, subject);
  if (dispatch === null) throw new Error(`message ${message.id} is about a dispatch that has no site of its account`);
  const said = noticeSaid(words, { dispatch, event, now: clock.now(), service }, pages);
  const attempt = target === null ? unreadable(clock.now()) : await send(channel, said, target);
  const kept = keptOf(attempt);
  if (!attempt.ok) {
    const { status, error } = attempt;
    return { ...outcomeOfFailure(message, { error, kept, isRefused: isRefusingStatus(status) }, clock.now()), attempt };
  }
  const modification = dispatch.modificationNumber;
  return { state: "delivered", at: endOf(attempt), modification, kept: { ...kept, text: textOfSaid(said) }, attempt };
};

const keptOf = ({ at, status, durationMs, address, error }: SentAttempt): MessageKept => ({
  at: at.toISOString(),
  status,
  durationMs,
  address,
  error,
});

const endOf = ({ at, durationMs }: SentAttempt): Date => new Date(at.getTime() + durationMs);
