import type { Outcome, SentAttempt } from "../../platform/attempt.js";
import type { LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import { SendingWorker } from "../../platform/worker/sending-worker.js";
import type { ClaimedNotification } from "../domain/notification.js";
import { type NotificationQueue, outcomeOf } from "../operations/send-notifications.js";

export interface NotificationPorts {
  readonly queue: NotificationQueue;
  readonly clock: LoopClock;
  readonly random: () => number;
  readonly send: (notification: ClaimedNotification) => Promise<SentAttempt>;
}

/** Dead receivers hold an attempt for ten seconds each. */
const IN_FLIGHT = 1024;

interface Attempted {
  readonly attempt: SentAttempt;
  readonly outcome: Outcome;
}

/** Notifies webhook subscriptions of changes; different subscriptions never wait for each other. */
export const notificationWorker = (ports: NotificationPorts, log: FaultLog) =>
  new SendingWorker<ClaimedNotification, Attempted>(
    {
      what: "notifications of OpenADR 3",
      inFlight: IN_FLIGHT,
      claim: async (lease, limit) => ({ claimed: limit === 0 ? [] : await ports.queue.claim({ ...lease, limit }) }),
      async send(notification) {
        const attempt = await ports.send(notification);
        return { attempt, outcome: outcomeOf(notification, attempt, ports) };
      },
      record: ({ item: notification, outcome }) => ports.queue.record({ notification, ...outcome }),
      report(notification, { attempt, outcome }) {
        if (outcome.state === "failed")
          log.warn({ ...factsOf(notification), why: attempt.error }, "a notification of OpenADR 3 failed for good");
      },
      facts: factsOf,
    },
    { clock: ports.clock, log },
  );

const factsOf = ({ id, subscriptionId }: ClaimedNotification) => ({ delivery: id, subscriptionId });
