import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { DispatchView } from "../../dispatch/operations/dispatch-service.js";
import type { Clock } from "../../platform/clock.js";
import { type Situation, situationOf } from "../domain/dispatch-words.js";
import {
  type ClaimedPhoneMessage,
  type PhoneChannel,
  type PhoneHandover,
  type PhoneOutcome,
  phoneDelayAfterMs,
} from "../domain/phone-message.js";
import { phoneText } from "../domain/phone-text.js";

/** What dispatch notices say by phone. */
export interface PhoneMessages {
  /** Makes a message for each contact and channel that has a gateway, of these notices. */
  ofNotices(
    seqs: readonly number[],
    made: { readonly at: Date; readonly channels: readonly PhoneChannel[] },
  ): Promise<void>;
}

/** The queue of messages, shared by any number of workers. */
export interface PhoneQueue {
  /** Claims due ones until the lease ends. */
  claim(claim: PhoneClaim): Promise<readonly ClaimedPhoneMessage[]>;
  /** A failure under a lease that another worker took over changes nothing. */
  record(message: ClaimedPhoneMessage, outcome: PhoneOutcome): Promise<void>;
}

export interface PhoneClaim {
  readonly now: Date;
  readonly leasedUntil: Date;
  /** Leases that ended before this are over. */
  readonly lapsedBefore: Date;
  readonly limit: number;
}

/** What a gateway gets. */
export interface PhoneMessage {
  /** The same for all attempts. */
  readonly id: string;
  readonly channel: PhoneChannel;
  /** E.164. */
  readonly to: string;
  readonly text: string;
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
  readonly queue: PhoneQueue;
  readonly clock: Clock;
  readonly dispatches: Pick<DispatchView, "findSeenBy">;
  readonly gateway: PhoneGateway;
}

/** Offers the current state of the dispatch to the gateway, and returns the outcome. */
export const attemptPhoneMessage = async (
  { clock, dispatches, gateway }: Omit<PhonePorts, "queue">,
  message: ClaimedPhoneMessage,
): Promise<PhoneOutcome> => {
  const dispatch = await dispatches.findSeenBy(message.accountId, message.dispatchId);
  if (dispatch === null) throw new Error(`message ${message.id} is about a dispatch that has no site of its account`);
  const offered = written(message, dispatch, clock.now());
  const handover = await gateway.send(offered);
  const at = clock.now();
  if (handover.ok) {
    const { modificationNumber } = dispatch;
    return { state: "sent", at, gatewayId: handover.gatewayId, modificationNumber, text: offered.text };
  }
  const { error, isRefused } = handover;
  if (isRefused) return { state: "refused", at, error };
  const delayMs = phoneDelayAfterMs(message.failures + 1, at.getTime() - message.createdAt.getTime());
  if (delayMs === null) return { state: "expired", at, error };
  return { state: "waiting", nextAttemptAt: new Date(at.getTime() + delayMs), error };
};

const written = (
  { id, channel, phone, accountId, event }: ClaimedPhoneMessage,
  dispatch: Dispatch,
  now: Date,
): PhoneMessage => ({
  id,
  channel,
  to: phone,
  text: phoneText({ dispatch, event, now }, channel),
  kind: situationOf({ dispatch, event, now }),
  accountId,
  dispatchId: dispatch.id,
  isTest: dispatch.test,
});
