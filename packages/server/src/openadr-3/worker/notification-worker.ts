import type { SentAttempt } from "../../platform/attempt.js";
import type { LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import type { Carrier } from "../../platform/timetable.js";
import { LEASE_MS } from "../../platform/worker/lease.js";
import { type Lease, LeasedWorker } from "../../platform/worker/leased-worker.js";
import type { ClaimedNotification } from "../domain/notification.js";
import { type NotificationQueue, outcomeOf } from "../operations/send-notifications.js";

export interface NotificationPorts {
  readonly queue: NotificationQueue;
  readonly clock: LoopClock;
  readonly random: () => number;
  readonly send: (notification: ClaimedNotification) => Promise<SentAttempt>;
}

/** Dead receivers hold an attempt for ten seconds each. */
const MAX_UNDER_WAY = 1024;

/** Notifies webhook subscriptions of changes; different subscriptions never wait for each other. */
export class NotificationWorker {
  private readonly leased: LeasedWorker<ClaimedNotification>;

  constructor(
    private readonly ports: NotificationPorts,
    private readonly log: FaultLog,
  ) {
    this.leased = new LeasedWorker({
      clock: ports.clock,
      log,
      look: (lease) => this.look(lease),
      onError: (error) => log.error({ err: error }, "notifications of OpenADR 3 could not be claimed; retrying"),
      // The next of its subscription may be due.
      onEnd: () => this.leased.wake(),
    });
  }

  /** For the timetable. */
  get carrier(): Carrier {
    return this.leased;
  }

  start(): void {
    this.leased.start();
  }

  /** Waits for notifications under way. */
  stop(): Promise<void> {
    return this.leased.stop();
  }

  private async look(lease: Lease): Promise<boolean> {
    const { queue } = this.ports;
    const limit = MAX_UNDER_WAY - this.leased.count;
    const startedMs = performance.now();
    const claimed = limit <= 0 ? [] : await queue.claim({ ...lease, limit });
    this.leased.take(claimed, (notification) => this.send(notification, startedMs));
    return false;
  }

  private async send(notification: ClaimedNotification, claimedMs: number): Promise<void> {
    // A process suspended for this long has lost it to another.
    if (performance.now() - claimedMs > LEASE_MS) return;
    const { queue, send } = this.ports;
    const { id, subscriptionId } = notification;
    try {
      const attempt = await send(notification);
      const outcome = outcomeOf(notification, attempt, this.ports);
      await this.leased.record(() => queue.record({ notification: this.leased.held(notification), attempt, outcome }));
      if (outcome.state === "failed") {
        this.log.warn(
          { delivery: id, subscriptionId, why: attempt.error },
          "a notification of OpenADR 3 failed for good",
        );
      }
    } catch (error) {
      this.log.error(
        { err: error, delivery: id, subscriptionId },
        "a notification of OpenADR 3 could not be recorded; it is sent again when its lease ends",
      );
    }
  }
}
