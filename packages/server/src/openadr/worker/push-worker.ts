import type { SentAttempt } from "../../platform/attempt.js";
import type { LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import { attemptPost, withoutResponse } from "../../platform/outbound/post-attempt.js";
import type { WebhookClient } from "../../platform/outbound/webhook-client.js";
import type { Carrier } from "../../platform/timetable.js";
import { type Lease, type Leased, LeasedWorker } from "../../platform/worker/leased-worker.js";
import type { Ven } from "../domain/ven.js";
import { type ClaimedPush, outcomesOf, type PushQueue } from "../operations/push-events.js";

export interface PushPorts {
  readonly queue: PushQueue;
  readonly clock: LoopClock;
  readonly random: () => number;
  /** The message with all current events of the VEN. */
  readonly messageFor: (ven: Ven) => Promise<string>;
  readonly send: (ven: Ven, body: string) => Promise<SentAttempt>;
}

/** The id is that of the VEN, which gets one message at a time. */
type LeasedPush = ClaimedPush & Leased;

/** Pushes changed events to VENs, which never wait for each other. */
export class PushWorker {
  private readonly leased: LeasedWorker<LeasedPush>;

  constructor(
    private readonly ports: PushPorts,
    private readonly log: FaultLog,
  ) {
    this.leased = new LeasedWorker({
      clock: ports.clock,
      log,
      look: (lease) => this.look(lease),
      onError: (error) => log.error({ err: error }, "pushes to VENs could not be claimed; retrying"),
    });
  }

  /** For the timetable. */
  get carrier(): Carrier {
    return this.leased;
  }

  start(): void {
    this.leased.start();
  }

  /** Waits for the current pushes. */
  stop(): Promise<void> {
    return this.leased.stop();
  }

  private async look(lease: Lease): Promise<boolean> {
    const claimed = await this.ports.queue.claim(lease);
    const pushes = claimed.map((push) => ({ ...push, id: push.ven.id }));
    this.leased.take(pushes, (push) => this.push(push));
    return false;
  }

  private async push(claimed: LeasedPush): Promise<void> {
    const { queue, clock, random, messageFor, send } = this.ports;
    const { ven } = claimed;
    try {
      const attempt = await send(ven, await messageFor(ven));
      const records = outcomesOf(claimed, attempt, { endedAt: clock.now(), random });
      await this.leased.record(() => queue.record(this.leased.held(claimed), attempt, records));
      if (!attempt.ok) this.log.warn({ ven: ven.id, error: attempt.error }, "a push to a VEN failed");
    } catch (error) {
      this.log.error(
        { err: error, ven: ven.id },
        "a push to a VEN could not be sent; it is retried when its lease ends",
      );
    }
  }
}

/** Makes one attempt; the queue decides what follows. */
export const sendPush = async (client: WebhookClient, url: string, body: string): Promise<Omit<SentAttempt, "at">> => {
  const headers = { "content-type": "application/xml" };
  return withoutResponse(await attemptPost({ url: new URL(url), headers, body }, { client }));
};
