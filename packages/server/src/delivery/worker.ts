import { setImmediate } from "node:timers/promises";
import type { ClaimedDelivery } from "../domain/delivery.js";
import { attemptDelivery, type Claim, type DeliveryPorts } from "../operations/deliver-notices.js";
import { AttemptRecorder } from "./attempt-recorder.js";
import { Polling } from "./polling.js";

/** Longer than an attempt and its record can take, so that nobody else sends meanwhile. */
const LEASE_MS = 30_000;
/** Dead receivers hold their attempt for ten seconds; a live one beside a thousand of them must not wait. */
const MAX_IN_FLIGHT = 2048;
const CLAIMED_AT_ONCE = 1024;

export interface WorkerLog {
  error(details: object, message: string): void;
}

/** Told of every attempt that was recorded. */
export interface AttemptObserver {
  observeAttempt(result: AttemptResult): void;
}

export interface AttemptResult {
  readonly ok: boolean;
  /** From when it was there to be told to the start of the attempt; null where it was not the first. */
  readonly firstAfterSeconds: number | null;
}

/** Claims due deliveries, sends them and records what came of it, until it is stopped. */
export class DeliveryWorker {
  private readonly underWay = new Set<Promise<void>>();
  private readonly polling: Polling;
  private readonly recorder: AttemptRecorder;

  constructor(
    private readonly ports: DeliveryPorts,
    private readonly log: WorkerLog,
    private readonly observer: AttemptObserver,
  ) {
    this.recorder = new AttemptRecorder(async (records) => {
      await ports.queue.record(records);
      // The next of the same webhooks and dispatches may go now.
      this.wake();
    });
    this.polling = new Polling(
      () => this.round(),
      (error) => log.error({ err: error }, "deliveries could not be fetched; the next look follows"),
    );
  }

  start(): void {
    this.polling.start();
  }

  wake(): void {
    this.polling.wake();
  }

  /** Takes nothing new, and waits for what is being sent. */
  async stop(): Promise<void> {
    await this.polling.stop();
    await Promise.all(this.underWay);
  }

  /** true when there may be more at once. */
  private async round(): Promise<boolean> {
    const { queue } = this.ports;
    const { claimed: fresh, hasMore } = await queue.expandDue(this.claim());
    this.take(fresh);
    if (hasMore) return true;
    const due = await queue.claim(this.claim());
    this.take(due);
    return fresh.length + due.length > 0;
  }

  private claim(): Claim {
    const now = this.ports.clock.now();
    const limit = Math.min(CLAIMED_AT_ONCE, MAX_IN_FLIGHT - this.underWay.size);
    return { now, leasedUntil: new Date(now.getTime() + LEASE_MS), limit };
  }

  /** Sent in the next turn of the event loop: the database is asked for more before. */
  private take(claimed: readonly ClaimedDelivery[]): void {
    const turn = setImmediate();
    for (const delivery of claimed) {
      const sending = turn.then(() => this.send(delivery)).finally(() => this.underWay.delete(sending));
      this.underWay.add(sending);
    }
  }

  private async send(delivery: ClaimedDelivery): Promise<void> {
    try {
      const record = await attemptDelivery(this.ports, delivery);
      const isFirst = delivery.failures === 0 && !delivery.isResend;
      const waitedMs = record.attempt.at.getTime() - delivery.noticedAt.getTime();
      await this.recorder.add(record);
      this.observer.observeAttempt({
        ok: record.outcome.state === "delivered",
        firstAfterSeconds: isFirst ? waitedMs / 1000 : null,
      });
    } catch (error) {
      // Sent or not, it is not recorded: its lease ends, and it is sent again with the same id.
      this.log.error({ err: error, delivery: delivery.id }, "an attempt could not be recorded");
    }
  }
}
