import type { LoopClock } from "../../platform/clock.js";
import { Polling } from "../../platform/polling.js";
import { messagesOf } from "../operations/messages-of-changes.js";
import { isStale, type PublishedChange } from "../operations/publication.js";
import type { Publications, PublisherLock } from "../operations/publication-ports.js";
import { type Group, type MessageTaker, type Progress, publishInOrder } from "../operations/publish-in-order.js";
import { type BrokerLink, BrokerRefusal, type Connected } from "./broker-link.js";

export interface PublisherPorts {
  readonly link: BrokerLink;
  readonly lock: PublisherLock;
  readonly publications: Publications;
  readonly clock: LoopClock;
  /** Prepares a new connection. */
  readonly begin: (broker: Connected) => Promise<void>;
  /** Before each batch of changes: those who are to hear them have their rights, unless the broker is slow. Never throws. */
  readonly giveRights: () => Promise<void>;
}

interface PublisherLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

/** Changes that are published at once; one for everybody may have a message for each VEN. */
const CHANGES_AT_ONCE = 500;
/** What is smaller than this every broker takes, so it is never given up. */
const MAYBE_TOO_LARGE_BYTES = 8192;
/** Attempts of a change that might be what breaks the connection. */
const MAX_ATTEMPTS = 5;

/** Publishes changes to an outside broker, oldest first, until stopped; one process at a time. */
export class MqttPublisher {
  private readonly polling: Polling;
  private isAway = false;
  /** The connection that was prepared. */
  private at: Connected | null = null;
  /** The change that was first in line when the connection broke: it is tried alone. */
  private suspect: { readonly seq: number; readonly attempts: number } | null = null;

  constructor(
    private readonly ports: PublisherPorts,
    private readonly log: PublisherLog,
  ) {
    this.polling = new Polling({
      look: () => this.look(),
      onError: (error) => log.error({ err: error }, "changes of OpenADR 3 could not be read for the broker; retrying"),
      clock: ports.clock,
    });
  }

  start(): void {
    this.polling.start();
  }

  /** Call when a change was committed. */
  wake(): void {
    this.polling.wake();
  }

  async stop(): Promise<void> {
    const { link, lock } = this.ports;
    // Closing ends a wait for the broker. A connection that was just being opened is closed after it.
    await Promise.all([this.polling.stop(), link.close()]);
    await link.close();
    await lock.release();
  }

  private async look(): Promise<boolean> {
    const { link, lock, publications, begin } = this.ports;
    if (link.isResting || !(await lock.isHeld())) return false;
    const broker = await link.open();
    if (broker === null) {
      this.noteAway(link.fault);
      // Another process may reach it.
      await lock.release();
      return false;
    }
    if (broker !== this.at) {
      await begin(broker);
      this.at = broker;
      // It may break the connection; after a pause, so that a broker that always does is not asked without end.
      if (!broker.isOpen) {
        link.fail("the connection was lost");
        return false;
      }
    }
    const limit = this.suspect === null ? CHANGES_AT_ONCE : 1;
    const due = await publications.due(limit);
    return due.length > 0 && (await this.publish(broker, due)) && due.length === limit;
  }

  /** false if the broker did not take everything. */
  private async publish(broker: Connected, due: readonly PublishedChange[]): Promise<boolean> {
    const { link, publications, clock } = this.ports;
    const now = clock.now();
    const stale = due.filter((change) => isStale(change, now));
    const fresh = due.filter((change) => !isStale(change, now));
    await this.ports.giveRights();
    const vens = await publications.vens(fresh);
    const groups = fresh.map((change) => ({ seq: change.seq, messages: messagesOf(change, vens) }));
    const progress = await publishInOrder(takerOf(broker), groups);
    const given = this.givenUp(progress, groups);
    for (const lost of [...progress.impossible, ...given])
      this.log.error({ change: lost.seq, why: lost.why }, "the MQTT broker does not take a change; it is left out");
    if (stale.length > 0)
      this.log.warn({ count: stale.length }, "changes of OpenADR 3 are too old for the MQTT broker; they are left out");
    await publications.settle({
      published: progress.published,
      skipped: [...progress.impossible, ...given, ...stale].map(({ seq }) => seq),
      at: now,
    });
    if (progress.stopped !== null) {
      link.fail(progress.stopped.why);
      this.noteAway(progress.stopped.why);
      return false;
    }
    link.works();
    this.suspect = null;
    this.noteBack();
    return true;
  }

  /** A large change that breaks the connection whenever it is tried alone must not hold up the others for ever. */
  private givenUp(
    { stopped }: Progress,
    groups: readonly Group[],
  ): Array<{ readonly seq: number; readonly why: string }> {
    if (stopped === null) return [];
    const { seq, why } = stopped;
    const wasAlone = groups.length === 1 && this.suspect?.seq === seq;
    const attempts = wasAlone ? (this.suspect?.attempts ?? 0) + 1 : 0;
    this.suspect = { seq, attempts };
    const messages = groups.find((group) => group.seq === seq)?.messages ?? [];
    const isLarge = messages.some(({ body }) => Buffer.byteLength(body) > MAYBE_TOO_LARGE_BYTES);
    return isLarge && attempts >= MAX_ATTEMPTS ? [{ seq, why }] : [];
  }

  private noteAway(why: string | null): void {
    if (!this.isAway) this.log.warn({ why }, "the MQTT broker cannot be reached; changes wait for it");
    this.isAway = true;
  }

  private noteBack(): void {
    if (this.isAway) this.log.info({}, "the MQTT broker takes changes again");
    this.isAway = false;
  }
}

const takerOf = (broker: Connected): MessageTaker => ({
  window: broker.window,
  maxBytes: broker.maxBytes,
  take: (message) =>
    broker.publish(message).then(
      () => null,
      (error: unknown) => ({
        why: error instanceof Error ? error.message : String(error),
        code: error instanceof BrokerRefusal ? error.code : null,
      }),
    ),
});
