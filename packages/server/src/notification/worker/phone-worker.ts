import type { MessageOutcome } from "../../dispatch/domain/message.js";
import type { LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import { SendingWorker } from "../../platform/worker/sending-worker.js";
import { isAlarmingHandover } from "../domain/handover.js";
import type { ClaimedPhoneMessage } from "../domain/phone-message.js";
import { attemptPhoneMessage, type PhonePorts } from "../operations/send-phone-messages.js";

/** Concurrent requests to gateways. */
const IN_FLIGHT = 20;

/** Hands due messages to the gateway. An attempt fits a lease; one that is not recorded is offered again under the same key. */
export const phoneWorker = (ports: PhonePorts & { readonly clock: LoopClock }, log: FaultLog) =>
  new SendingWorker<ClaimedPhoneMessage, MessageOutcome>(
    {
      what: "messages to phones",
      inFlight: IN_FLIGHT,
      claim: (lease, limit) => ports.queue.claim({ ...lease, limit }),
      send: (message) => attemptPhoneMessage(ports, message),
      record: (sent) => ports.queue.record([sent]),
      report: (message, outcome) => report(message, outcome, log),
      facts: factsOf,
    },
    { clock: ports.clock, log },
  );

const factsOf = ({ id, accountId, subject, channel }: ClaimedPhoneMessage) => ({
  message: id,
  accountId,
  dispatchId: subject,
  channel,
});

/** Logs neither numbers nor texts; the error is a code. */
const report = (message: ClaimedPhoneMessage, outcome: MessageOutcome, log: FaultLog): void => {
  if (outcome.state === "delivered") return;
  const failures = message.failures + 1;
  const details = { ...factsOf(message), failures, error: outcome.error };
  if (outcome.state === "pending" && !isAlarmingHandover(failures))
    log.warn(details, "a gateway did not take a message; retrying");
  else log.error(details, adviceOf(outcome));
};

const adviceOf = (outcome: Exclude<MessageOutcome, { state: "delivered" }>): string => {
  if (outcome.state === "pending") return "a gateway still does not take a message; check the gateway and its settings";
  return outcome.reason === "expired"
    ? "a gateway did not take a message for six hours, so it was given up; phone the account"
    : "a gateway refused a message; check the number of the contact and phone the account";
};
