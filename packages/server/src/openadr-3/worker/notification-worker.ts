import type { MessageOutcome } from "../../dispatch/domain/message.js";
import type { MessageQueue } from "../../dispatch/operations/message-queue.js";
import type { SentAttempt } from "../../platform/attempt.js";
import type { LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import { SendingWorker } from "../../platform/worker/sending-worker.js";
import type { ClaimedNotification } from "../domain/notification.js";
import { outcomeOf } from "../operations/send-notifications.js";

export interface NotificationPorts {
  readonly queue: MessageQueue<ClaimedNotification>;
  readonly clock: LoopClock;
  readonly random: () => number;
  readonly send: (notification: ClaimedNotification) => Promise<SentAttempt>;
}

/** Dead receivers hold an attempt for ten seconds each. */
const IN_FLIGHT = 1024;

/** Notifies webhook subscriptions of changes; different subscriptions never wait for each other. */
export const notificationWorker = ({ queue, clock, random, send }: NotificationPorts, log: FaultLog) =>
  new SendingWorker<ClaimedNotification, MessageOutcome>(
    {
      what: "notifications of OpenADR 3",
      inFlight: IN_FLIGHT,
      claim: (lease, limit) => queue.claim({ ...lease, limit }),
      async send(notification) {
        const attempt = await send(notification);
        return outcomeOf(notification, attempt, { endedAt: clock.now(), random: random() });
      },
      record: (sent) => queue.record([sent]),
      report(notification, outcome) {
        if (outcome.state === "failed")
          log.warn({ ...factsOf(notification), why: outcome.error }, "a notification of OpenADR 3 failed for good");
      },
      facts: factsOf,
    },
    { clock, log },
  );

const factsOf = ({ id, subscriptionId }: ClaimedNotification) => ({ delivery: id, subscriptionId });
