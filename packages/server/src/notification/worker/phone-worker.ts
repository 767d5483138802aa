import type { LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import { SendingWorker } from "../../platform/worker/sending-worker.js";
import { type ClaimedPhoneMessage, isGatewayAlarming, type PhoneOutcome } from "../domain/phone-message.js";
import { attemptPhoneMessage, type PhonePorts } from "../operations/send-phone-messages.js";

/** Concurrent requests to gateways. */
const IN_FLIGHT = 20;

/** Hands due messages to the gateway. An attempt fits a lease; one that is not recorded is offered again under the same key. */
export const phoneWorker = (ports: PhonePorts & { readonly clock: LoopClock }, log: FaultLog) =>
  new SendingWorker<ClaimedPhoneMessage, PhoneOutcome>(
    {
      what: "messages to phones",
      inFlight: IN_FLIGHT,
      claim: async (lease, limit) => ({ claimed: await ports.queue.claim({ ...lease, limit }) }),
      send: (message) => attemptPhoneMessage(ports, message),
      record: ({ item, outcome }) => ports.queue.record(item, outcome),
      report: (message, outcome) => report(message, outcome, log),
      facts: factsOf,
    },
    { clock: ports.clock, log },
  );

const factsOf = ({ id, accountId, dispatchId, channel }: ClaimedPhoneMessage) => ({
  message: id,
  accountId,
  dispatchId,
  channel,
});

/** Logs neither numbers nor texts; the error is a code. */
const report = (message: ClaimedPhoneMessage, outcome: PhoneOutcome, log: FaultLog): void => {
  if (outcome.state === "sent") return;
  const failures = message.failures + 1;
  const details = { ...factsOf(message), failures, error: outcome.error };
  if (outcome.state === "waiting" && !isGatewayAlarming(failures))
    log.warn(details, "a gateway did not take a message; retrying");
  else log.error(details, advice[outcome.state]);
};

const advice: Readonly<Record<Exclude<PhoneOutcome["state"], "sent">, string>> = {
  waiting: "a gateway still does not take a message; check the gateway and its settings",
  refused: "a gateway refused a message; check the number of the contact and phone the account",
  expired: "a gateway did not take a message for six hours, so it was given up; phone the account",
};
