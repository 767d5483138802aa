import type { LoopClock } from "../../platform/clock.js";
import type { CursorLease } from "../../platform/follower.js";
import { cursorAfter } from "../../platform/journal.js";
import type { FaultLog, Log } from "../../platform/log.js";
import { Polling } from "../../platform/polling.js";
import { type HeldCursor, LeasedCursor } from "../../platform/worker/leased-cursor.js";
import { type BatchPorts, BatchPublisher, LEASE_ENDED } from "./batch-publisher.js";
import type { BrokerLink, Connected } from "./broker-link.js";

export interface PublisherPorts extends BatchPorts {
  readonly link: BrokerLink;
  readonly lease: CursorLease;
  readonly clock: LoopClock;
  /** Prepares a new connection. */
  readonly begin: (broker: Connected) => Promise<void>;
}

/** Publishes changes to an outside broker, oldest first, until stopped; one process at a time. */
export class MqttPublisher {
  private readonly polling: Polling;
  private readonly leased: LeasedCursor;
  private readonly batches: BatchPublisher;
  /** Whether there may be changes that were not read. */
  private hasNews = true;
  private isAway = false;
  /** The connection that was prepared. */
  private at: Connected | null = null;

  constructor(
    private readonly ports: PublisherPorts,
    private readonly log: FaultLog & Pick<Log, "info">,
  ) {
    const { link, lease, clock } = ports;
    const onError = (error: unknown): void =>
      log.error({ err: error }, "changes of OpenADR 3 could not be read for the broker; retrying");
    this.polling = new Polling({ look: () => this.look(), onError, clock });
    this.batches = new BatchPublisher(ports, log);
    const isWanted = (): boolean => !link.isResting;
    this.leased = new LeasedCursor({ lease, clock, isWanted, onChange: () => this.wake(), onError });
  }

  start(): void {
    this.leased.start();
    this.polling.start();
  }

  /** Call when a change was committed. */
  wake(): void {
    this.hasNews = true;
    this.polling.wake();
  }

  async stop(): Promise<void> {
    const { link } = this.ports;
    // Closing ends a wait for the broker. A connection that was just being opened is closed after it.
    await Promise.all([this.polling.stop(), link.close()]);
    await link.close();
    await this.leased.stop();
  }

  /** Sends no statement while nothing was committed. */
  private async look(): Promise<boolean> {
    const { link } = this.ports;
    const { held } = this.leased;
    if (held === null) link.leave();
    if (held === null || !held.isHeld || link.isResting) return false;
    const broker = await this.connected();
    if (broker === null || !this.hasNews) return false;
    this.hasNews = false;
    try {
      return await this.publishNext(broker, held);
    } catch (error) {
      this.hasNews = true;
      throw error;
    }
  }

  /** null: it cannot be reached. */
  private async connected(): Promise<Connected | null> {
    const { link, begin } = this.ports;
    const broker = await link.open();
    if (broker === null) {
      this.noteAway(link.fault);
      // Another process may reach it.
      await this.leased.giveUp();
      return null;
    }
    if (broker === this.at) return broker;
    await begin(broker);
    this.at = broker;
    if (broker.isOpen) return broker;
    // It may break the connection; after a pause, so that a broker that always does is not asked without end.
    link.fail("the connection was lost");
    return null;
  }

  /** Publishes the oldest changes that are unseen, and moves the cursor; returns whether there may be more. */
  private async publishNext(broker: Connected, held: HeldCursor): Promise<boolean> {
    const { link, publications } = this.ports;
    const before = held.cursor;
    const { changes, cursor, hasMore } = await publications.since(before, this.batches.limit);
    if (changes.length === 0 && before.page === null) return false;
    const { stopped, last } = await this.batches.publish(broker, held, changes);
    const next = stopped === null ? cursor : last === null ? null : cursorAfter(before, cursor, last);
    const isMoved = next === null || (await held.move(next));
    if (stopped === null && changes.length > 0) this.noteBack();
    if (stopped === null && isMoved) {
      // Changes that were committed since a backlog began are read after its last page.
      this.hasNews ||= hasMore || before.page !== null;
      return this.hasNews;
    }
    this.hasNews = true;
    if (stopped !== null && stopped.why !== LEASE_ENDED.why) {
      link.fail(stopped.why);
      this.noteAway(stopped.why);
    }
    return false;
  }

  private noteAway(why: string | null): void {
    if (!this.isAway) this.log.warn({ why }, "the MQTT broker cannot be reached; changes wait for it");
    this.isAway = true;
  }

  private noteBack(): void {
    this.ports.link.works();
    if (this.isAway) this.log.info({}, "the MQTT broker takes changes again");
    this.isAway = false;
  }
}
