import type { WordsFor } from "../../access/domain/language.js";
import type { MessageOutcome } from "../../dispatch/domain/message.js";
import type { DispatchView } from "../../dispatch/operations/dispatch-service.js";
import type { MessageQueue } from "../../dispatch/operations/message-queue.js";
import type { Clock } from "../../platform/clock.js";
import type { Language, Words } from "../../platform/words.js";
import { type Situation, situationOf } from "../domain/dispatch-words.js";
import { outcomeOfFailure } from "../domain/handover.js";
import type { NoticeContent } from "../domain/notice-sentence.js";
import type { ClaimedPhoneMessage, PhoneChannel, PhoneHandover } from "../domain/phone-message.js";
import { phoneText } from "../domain/phone-text.js";

/** What dispatch notices say by phone. */
export interface PhoneMessages {
  /** Makes a message for each contact and channel that has a gateway, of these notices. */
  ofNotices(
    seqs: readonly number[],
    made: { readonly at: Date; readonly channels: readonly PhoneChannel[] },
  ): Promise<void>;
}

/** What a gateway gets. */
export interface PhoneMessage {
  /** The same for all attempts. */
  readonly id: string;
  readonly channel: PhoneChannel;
  /** E.164. */
  readonly to: string;
  readonly text: string;
  /** Of the text. */
  readonly language: Language;
  readonly kind: Situation | "test_message";
  readonly accountId: string;
  /** null: a test message. */
  readonly dispatchId: string | null;
  /** Whether the dispatch is a test. */
  readonly isTest: boolean;
}

export interface PhoneGateway {
  readonly channels: readonly PhoneChannel[];
  /** Never throws. */
  readonly send: (message: PhoneMessage) => Promise<PhoneHandover>;
}

export interface PhonePorts {
  readonly queue: MessageQueue<ClaimedPhoneMessage>;
  readonly clock: Clock;
  readonly dispatches: Pick<DispatchView, "findSeenBy">;
  readonly wordsFor: WordsFor;
  readonly gateway: PhoneGateway;
  /** As whom the service speaks. */
  readonly service: string;
}

/** Offers the current state of the dispatch to the gateway, and returns the outcome. */
export const attemptPhoneMessage = async (
  { clock, dispatches, wordsFor, gateway, service }: Omit<PhonePorts, "queue">,
  message: ClaimedPhoneMessage,
): Promise<MessageOutcome> => {
  const dispatch = await dispatches.findSeenBy(message.accountId, message.subject);
  if (dispatch === null) throw new Error(`message ${message.id} is about a dispatch that has no site of its account`);
  const offered = written(wordsFor(message.language), message, { dispatch, now: clock.now(), service });
  const handover = await gateway.send(offered);
  const at = clock.now();
  if (handover.ok) {
    const kept = { gatewayId: handover.gatewayId, text: offered.text };
    return { state: "delivered", at, modification: dispatch.modificationNumber, kept };
  }
  const { error, isRefused } = handover;
  return outcomeOfFailure(message, { error, isRefused }, at);
};

const written = (
  words: Words,
  { id, channel, recipient, accountId, event }: ClaimedPhoneMessage,
  { dispatch, now, service }: Omit<NoticeContent, "event">,
): PhoneMessage => ({
  id,
  channel,
  to: recipient,
  text: phoneText(words, { dispatch, event, now, service }, channel),
  language: words.language,
  kind: situationOf({ dispatch, event, now }),
  accountId,
  dispatchId: dispatch.id,
  isTest: dispatch.test,
});
