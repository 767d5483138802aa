import type { Clock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import type { HeldCursor } from "../../platform/worker/leased-cursor.js";
import { isStale, messagesOf, type Publications, type PublishedChange } from "../operations/publication.js";
import {
  type Group,
  type MessageTaker,
  type PublishingProgress,
  publishInOrder,
  type Refused,
} from "../operations/publish-in-order.js";
import { BrokerRefusal, type Connected } from "./broker-link.js";

export interface BatchPorts {
  readonly publications: Publications;
  readonly clock: Clock;
  /** Before each batch of changes: those who are to hear them have their rights, unless the broker is slow. Never throws. */
  readonly giveRights: () => Promise<void>;
}

/** How far changes were published. */
export interface Published extends Pick<PublishingProgress, "stopped"> {
  /** The last that is done with; null: none. */
  readonly last: number | null;
}

/** Changes that are published at once; one for everybody may have a message for each VEN. */
const CHANGES_AT_ONCE = 500;
/** Every broker accepts messages that are smaller than this, so they are never given up. */
const MAYBE_TOO_LARGE_BYTES = 8192;
/** Attempts of a change that might be what breaks the connection. */
const MAX_ATTEMPTS = 5;

/** Publishes changes in their order, as many at once as the broker takes. */
export class BatchPublisher {
  /** The change that was first in line when the connection broke: it is tried alone. */
  private suspect: { readonly seq: number; readonly attempts: number } | null = null;

  constructor(
    private readonly ports: BatchPorts,
    private readonly log: FaultLog,
  ) {}

  /** Changes of the next batch. */
  get limit(): number {
    return this.suspect === null ? CHANGES_AT_ONCE : 1;
  }

  async publish(broker: Connected, held: HeldCursor, changes: readonly PublishedChange[]): Promise<Published> {
    const { publications, clock, giveRights } = this.ports;
    const now = clock.now();
    const fresh = changes.filter((change) => !isStale(change, now));
    await giveRights();
    const vens = fresh.length === 0 ? [] : await publications.vens(fresh);
    const groups = fresh.map((change) => ({ seq: change.seq, messages: messagesOf(change, vens) }));
    const progress = await publishInOrder(takerOf(broker, held), groups);
    const { stopped } = progress;
    const given = this.givenUp(progress, groups);
    this.warn([...progress.impossible, ...given], changes.length - fresh.length);
    const isDone = ({ seq }: PublishedChange): boolean =>
      stopped === null || seq < stopped.seq || given.some((lost) => lost.seq === seq);
    return { stopped, last: changes.findLast(isDone)?.seq ?? null };
  }

  /** A large change that breaks the connection whenever it is tried alone must not hold up the others for ever. */
  private givenUp(
    { stopped }: PublishingProgress,
    groups: readonly Group[],
  ): Array<{ readonly seq: number; readonly why: string }> {
    if (stopped === null) this.suspect = null;
    if (stopped === null || stopped.why === LEASE_ENDED.why) return [];
    const { seq, why } = stopped;
    const wasAlone = groups.length === 1 && this.suspect?.seq === seq;
    const attempts = wasAlone ? (this.suspect?.attempts ?? 0) + 1 : 0;
    this.suspect = { seq, attempts };
    const messages = groups.find((group) => group.seq === seq)?.messages ?? [];
    const isLarge = messages.some(({ body }) => Buffer.byteLength(body) > MAYBE_TOO_LARGE_BYTES);
    return isLarge && attempts >= MAX_ATTEMPTS ? [{ seq, why }] : [];
  }

  private warn(lost: PublishingProgress["impossible"], stale: number): void {
    for (const { seq, why } of lost)
      this.log.error({ change: seq, why }, "the MQTT broker does not take a change; it is left out");
    if (stale > 0)
      this.log.warn({ count: stale }, "changes of OpenADR 3 are too old for the MQTT broker; they are left out");
  }
}

/** The process stopped by itself: the broker is well. */
export const LEASE_ENDED: Refused = { why: "another process may publish by now", code: null };

const takerOf = (broker: Connected, held: HeldCursor): MessageTaker => ({
  window: broker.window,
  maxBytes: broker.maxBytes,
  take: async (message) => {
    if (!held.isHeld) return LEASE_ENDED;
    try {
      await broker.publish(message);
      return null;
    } catch (error) {
      return {
        why: error instanceof Error ? error.message : String(error),
        code: error instanceof BrokerRefusal ? error.code : null,
      };
    }
  },
});
