import type { SentAttempt } from "../../platform/attempt.js";
import type { LoopClock } from "../../platform/clock.js";
import type { Leased } from "../../platform/lease.js";
import type { FaultLog } from "../../platform/log.js";
import { attemptPost, withoutResponse } from "../../platform/outbound/post-attempt.js";
import type { WebhookClient } from "../../platform/outbound/webhook-client.js";
import { SendingWorker } from "../../platform/worker/sending-worker.js";
import type { Ven } from "../domain/ven.js";
import { type ClaimedPush, outcomesOf, type PushQueue, type PushRecord } from "../operations/push-events.js";

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

interface Attempted {
  readonly attempt: SentAttempt;
  readonly records: readonly PushRecord[];
}

/** Pushes changed events to VENs, which never wait for each other. */
export const pushWorker = (ports: PushPorts, log: FaultLog) =>
  new SendingWorker<LeasedPush, Attempted>(
    {
      what: "pushes to VENs",
      inFlight: Number.POSITIVE_INFINITY,
      async claim(lease) {
        const claimed = await ports.queue.claim(lease);
        return { claimed: claimed.map((push) => ({ ...push, id: push.ven.id })) };
      },
      async send(push) {
        const attempt = await ports.send(push.ven, await ports.messageFor(push.ven));
        const records = outcomesOf(push, attempt, { endedAt: ports.clock.now(), random: ports.random });
        return { attempt, records };
      },
      record: ({ item, outcome: { attempt, records } }) => ports.queue.record(item, attempt, records),
      report({ id }, { attempt }) {
        if (!attempt.ok) log.warn({ ven: id, error: attempt.error }, "a push to a VEN failed");
      },
      facts: ({ id }) => ({ ven: id }),
    },
    { clock: ports.clock, log },
  );

/** Makes one attempt; the queue decides what follows. */
export const sendPush = async (client: WebhookClient, url: string, body: string): Promise<Omit<SentAttempt, "at">> => {
  const headers = { "content-type": "application/xml" };
  return withoutResponse(await attemptPost({ url: new URL(url), headers, body }, { client }));
};
