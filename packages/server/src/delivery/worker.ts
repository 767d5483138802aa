import type { ClaimedDelivery } from "../domain/delivery.js";
import { attemptDelivery, type DeliveryPorts } from "../operations/deliver-notices.js";
import { Polling } from "./polling.js";

/** Longer than an attempt and its record can take, so that nobody else sends meanwhile. */
const LEASE_MS = 30_000;
/** Dead receivers hold their attempt for ten seconds; a live one beside a thousand of them must not wait. */
const MAX_IN_FLIGHT = 2048;
const MAX_IN_FLIGHT_PER_WEBHOOK = 4;
const CLAIMED_AT_ONCE = 1024;

export interface WorkerLog {
  error(details: object, message: string): void;
}

/** Claims due deliveries, sends them and records what came of it, until it is stopped. */
export class DeliveryWorker {
  private readonly underWay = new Set<Promise<void>>();
  private readonly perWebhook = new Map<string, number>();
  private readonly polling: Polling;

  constructor(
    private readonly ports: DeliveryPorts,
    private readonly log: WorkerLog,
  ) {
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
    const { queue, clock } = this.ports;
    const now = clock.now();
    await queue.expandDue(now);
    const room = Math.min(CLAIMED_AT_ONCE, MAX_IN_FLIGHT - this.underWay.size);
    if (room <= 0) return false;
    const claimed = await queue.claim(now, new Date(now.getTime() + LEASE_MS), room, this.busyWebhooks());
    for (const delivery of claimed) this.take(delivery);
    return claimed.length === room;
  }

  private busyWebhooks(): string[] {
    return [...this.perWebhook].filter(([, count]) => count >= MAX_IN_FLIGHT_PER_WEBHOOK).map(([id]) => id);
  }

  private take(delivery: ClaimedDelivery): void {
    const sending = this.send(delivery);
    this.underWay.add(sending);
    void sending.finally(() => this.underWay.delete(sending));
  }

  private async send(delivery: ClaimedDelivery): Promise<void> {
    const { webhookId } = delivery;
    this.perWebhook.set(webhookId, (this.perWebhook.get(webhookId) ?? 0) + 1);
    try {
      await attemptDelivery(this.ports, delivery);
    } catch (error) {
      // Sent or not, it is not recorded: its lease ends, and it is sent again with the same id.
      this.log.error({ err: error, delivery: delivery.id }, "an attempt could not be recorded");
    } finally {
      const left = (this.perWebhook.get(webhookId) ?? 1) - 1;
      if (left === 0) this.perWebhook.delete(webhookId);
      else this.perWebhook.set(webhookId, left);
      // The next of the same webhook and dispatch may go now.
      this.wake();
    }
  }
}
