import type { WordsFor } from "../../access/domain/language.js";
import type { MessageOutcome } from "../../dispatch/domain/message.js";
import type { AddressedChannel } from "../../platform/channel.js";
import type { Clock, LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import { attemptPost, withoutResponse } from "../../platform/outbound/post-attempt.js";
import type { WebhookClient } from "../../platform/outbound/webhook-client.js";
import { SendingWorker } from "../../platform/worker/sending-worker.js";
import { registry } from "../channels/registry.js";
import type { ClaimedAddressedMessage } from "../domain/channel-address.js";
import { isAlarmingHandover } from "../domain/handover.js";
import { testSaid } from "../domain/notice-said.js";
import type { TestAddress } from "../operations/manage-channel-addresses.js";
import { type AddressedPorts, attemptAddressedMessage, type SendSaid } from "../operations/send-addressed-messages.js";

/** Dead receivers hold an attempt for ten seconds each. */
const IN_FLIGHT = 1024;
const MAX_UNDER_WAY = 2048;
/** Webhooks use the same connections to the database: a storm must leave them some. */
const GATHER_MS = 100;

/** Says due messages at the addresses of one channel; different addresses never wait for each other. */
export const addressedWorker = (
  channel: AddressedChannel,
  ports: AddressedPorts & { readonly clock: LoopClock },
  log: FaultLog,
) => {
  const { queue } = ports;
  return new SendingWorker<ClaimedAddressedMessage, MessageOutcome>(
    {
      what: `messages on channel ${channel}`,
      inFlight: IN_FLIGHT,
      underWay: MAX_UNDER_WAY,
      claim: (lease, limit) => queue.claim({ ...lease, limit }),
      // A slow room and a storm together may take longer than a lease.
      renew: (messages, leasedUntil) => queue.renew(messages, leasedUntil),
      send: (message) => attemptAddressedMessage(ports, message),
      record: { gatherMs: GATHER_MS, all: (sent) => queue.record(sent) },
      report: (message, outcome) => report(message, outcome, log),
      facts: factsOf,
    },
    { clock: ports.clock, log },
  );
};

/** By the rules for webhooks, with their client. A redirect is a failure: no service of this kind answers with one. */
export const sendSaid =
  (client: WebhookClient, clock: Clock): SendSaid =>
  async (channel, said, target) => {
    const at = clock.now();
    const { url, headers, body } = registry[channel].requestOf(said, target);
    const attempt = await attemptPost({ url: new URL(url), headers, body }, { client, maxRedirects: 0 });
    return { at, ...withoutResponse(attempt) };
  };

export const sendTestSaid =
  (send: SendSaid, wordsFor: WordsFor, service: string): TestAddress =>
  ({ channel, accountName, accountLanguage, address, form }) =>
    send(channel, testSaid(wordsFor({ own: null, account: accountLanguage }), accountName, service), { address, form });

const factsOf = ({ id, accountId, subject, channel, recipient }: ClaimedAddressedMessage) => ({
  message: id,
  accountId,
  dispatchId: subject,
  channel,
  address: recipient,
});

/** Logs neither addresses nor texts; the error is a code. */
const report = (message: ClaimedAddressedMessage, outcome: MessageOutcome, log: FaultLog): void => {
  if (outcome.state === "delivered") return;
  const failures = message.failures + 1;
  const details = { ...factsOf(message), failures, error: outcome.error };
  if (outcome.state === "failed") log.error(details, "a message to an address failed for good; phone the account");
  else if (isAlarmingHandover(failures))
    log.error(details, "an address still does not take a message; ask the account");
  else log.warn(details, "an address did not take a message; retrying");
};
