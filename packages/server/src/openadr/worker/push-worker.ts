import type { SentAttempt } from "../../platform/attempt.js";
import type { LoopClock } from "../../platform/clock.js";
import { attemptPost, withoutResponse } from "../../platform/outbound/post-attempt.js";
import type { WebhookClient } from "../../platform/outbound/webhook-client.js";
import { Polling } from "../../platform/polling.js";
import { Hands, LapsedLeases, LEASE_MS } from "../../platform/worker/lease.js";
import { Recording } from "../../platform/worker/recording.js";
import type { Ven } from "../domain/ven.js";
import { type ClaimedPush, outcomesOf, type PushQueue } from "../operations/push-events.js";

export interface PushPorts {
  readonly queue: PushQueue;
  readonly clock: LoopClock;
  readonly random: () => number;
  /** All events of the VEN as they are now, as the message to send. */
  readonly messageFor: (ven: Ven) => Promise<string>;
  readonly send: (ven: Ven, body: string) => Promise<SentAttempt>;
}

interface PushLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Pushes events to VENs as they change; VENs never wait for each other. */
export class PushWorker {
  private readonly underWay = new Set<Promise<void>>();
  private readonly polling: Polling;
  private readonly recording: Recording;
  /** VENs by their id. */
  private readonly hands = new Hands();
  private readonly lapsed = new LapsedLeases();

  constructor(
    private readonly ports: PushPorts,
    private readonly log: PushLog,
  ) {
    this.recording = new Recording(log, ports.clock);
    this.polling = new Polling({
      look: () => this.look(),
      onError: (error) => {
        this.lapsed.lookFailed();
        log.error({ err: error }, "pushes to VENs could not be claimed; the next look follows");
      },
      clock: ports.clock,
    });
  }

  start(): void {
    this.polling.start();
  }

  /** Waits for the pushes under way. */
  async stop(): Promise<void> {
    this.recording.hurry();
    await this.polling.stop();
    await Promise.all(this.underWay);
  }

  private async look(): Promise<boolean> {
    const now = this.ports.clock.now();
    const leasedUntil = new Date(now.getTime() + LEASE_MS);
    const claimed = await this.ports.queue.claim({ now, leasedUntil, lapsedBefore: this.lapsed.before(now) });
    this.lapsed.lookMade(now);
    for (const push of claimed) {
      const { id } = push.ven;
      if (!this.hands.take(id, leasedUntil)) continue;
      const pushing = this.push(push).finally(() => {
        this.hands.drop(id);
        this.underWay.delete(pushing);
      });
      this.underWay.add(pushing);
    }
    return false;
  }

  private underItsLease(push: ClaimedPush): ClaimedPush {
    const { leasedUntil } = this.hands.held({ id: push.ven.id, leasedUntil: push.leasedUntil });
    return { ...push, leasedUntil };
  }

  private async push(claimed: ClaimedPush): Promise<void> {
    const { queue, clock, random, messageFor, send } = this.ports;
    const { ven } = claimed;
    try {
      const attempt = await send(ven, await messageFor(ven));
      const records = outcomesOf(claimed, attempt, { endedAt: clock.now(), random });
      await this.recording.run(() => queue.record(this.underItsLease(claimed), attempt, records));
      if (!attempt.ok) this.log.warn({ ven: ven.id, error: attempt.error }, "a push to a VEN failed");
    } catch (error) {
      this.log.error({ err: error, ven: ven.id }, "a push to a VEN could not be made; it is made when its lease ends");
    }
  }
}

/** One attempt; what becomes of it is the queue's business. */
export const sendPush = async (client: WebhookClient, url: string, body: string): Promise<Omit<SentAttempt, "at">> => {
  const headers = { "content-type": "application/xml" };
  return withoutResponse(await attemptPost({ url: new URL(url), headers, body }, { client }));
};
