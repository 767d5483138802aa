import { Batcher } from "../batcher.js";
import type { LoopClock } from "../clock.js";
import type { Lease, Leased, Look, Sent } from "../lease.js";
import type { FaultLog } from "../log.js";
import { Polling } from "../polling.js";
import type { Carrier } from "../timetable.js";
import { LEASE_MS } from "./lease.js";
import { LeasedWorker, leaseFrom } from "./leased-worker.js";
import { isRefusedRecord } from "./recording.js";

export interface Together<T, O> {
  readonly gatherMs: number;
  /** Each item occurs at most once. */
  readonly all: (sent: ReadonlyArray<Sent<T, O>>) => Promise<void>;
}

/** How the items of one queue are sent. */
export interface Sending<T extends Leased, O> {
  /** For the log, in the plural. */
  readonly what: string;
  /** Most that are sent at the same time. */
  readonly inFlight: number;
  /** The same with those that wait to be recorded; unless said, as many. */
  readonly underWay?: number;
  /** Claims `room` items at most. Also called without room, to drop what is needless. */
  readonly claim: (lease: Lease, room: number) => Promise<Look<T>>;
  /** Never throws for failures of the network or the receiver. */
  readonly send: (item: T) => Promise<O>;
  /** Each outcome by itself, or those of some time together. */
  readonly record: ((sent: Sent<T, O>) => Promise<void>) | Together<T, O>;
  /** Extends leases of what takes longer than one; returns those that are still held. */
  readonly renew?: (items: readonly T[], leasedUntil: Date) => Promise<readonly string[]>;
  /** Called for every recorded outcome. */
  readonly report?: (item: T, outcome: O) => void;
  /** For the log. */
  readonly facts: (item: T) => object;
}

export interface SendingPorts {
  readonly clock: LoopClock;
  readonly log: FaultLog;
}

const RENEW_MS = LEASE_MS / 3;

/** Claims due items of a queue, sends them and records the outcomes, until stopped. */
export class SendingWorker<T extends Leased, O> implements Carrier {
  private readonly leased: LeasedWorker<T>;
  private readonly renewing: Polling | undefined;
  private readonly record: (sent: Sent<T, O>) => Promise<void>;
  /** What is being sent, by id. */
  private readonly inFlight = new Map<string, T>();
  private renewal: Promise<void> = Promise.resolve();

  constructor(
    private readonly sending: Sending<T, O>,
    private readonly ports: SendingPorts,
  ) {
    const { clock, log } = ports;
    this.leased = new LeasedWorker({
      clock,
      log,
      look: (lease) => this.look(lease),
      onError: (error) => log.error({ err: error }, `${sending.what} could not be fetched; retrying`),
      // The next to the same recipient may be sent now.
      onEnd: () => this.leased.wake(),
    });
    this.renewing = sending.renew && this.renewingBy(sending.renew);
    this.record = this.recorder();
  }

  start(): void {
    this.leased.start();
    this.renewing?.start();
  }

  /** Call when there may be something new to send. */
  wake(): void {
    this.leased.wake();
  }

  answered(now: Date): void {
    this.leased.answered(now);
  }

  failed(): void {
    this.leased.failed();
  }

  /** Stops claiming and waits for what is being sent. */
  async stop(): Promise<void> {
    await this.leased.stop();
    await this.renewing?.stop();
  }

  private get room(): number {
    const { inFlight, underWay = inFlight } = this.sending;
    return Math.max(0, Math.min(inFlight - this.inFlight.size, underWay - this.leased.count));
  }

  private async look(lease: Lease): Promise<boolean> {
    const { room } = this;
    const startedMs = performance.now();
    const { claimed, hasMore } = await this.sending.claim(lease, room);
    this.leased.take(claimed, (item) => this.carryOut(item, startedMs));
    return hasMore ?? (room > 0 && claimed.length >= room);
  }

  private async carryOut(item: T, claimedMs: number): Promise<void> {
    // A process suspended for this long has lost it to another.
    if (performance.now() - claimedMs > LEASE_MS) return;
    const { what, report, facts } = this.sending;
    try {
      const outcome = await this.send(item);
      await this.record({ item, outcome });
      report?.(item, outcome);
    } catch (error) {
      // Its outcome, whatever it was, is not recorded: the lease ends, and it is sent again with the same id.
      this.ports.log.error({ err: error, ...facts(item) }, `one of the ${what} could not be sent or recorded`);
    }
  }

  private async send(item: T): Promise<O> {
    this.inFlight.set(item.id, item);
    try {
      return await this.sending.send(item);
    } finally {
      const wasFull = this.room === 0;
      this.inFlight.delete(item.id);
      // Looks that found no room try again.
      if (wasFull && this.room > 0) this.leased.wake();
      // So that the record names the current lease.
      await this.renewal.catch(() => {});
    }
  }

  private recorder(): (sent: Sent<T, O>) => Promise<void> {
    const { record } = this.sending;
    if (typeof record === "function") return (sent) => this.leased.record(() => record(this.toRecord(sent)));
    const { gatherMs, all } = record;
    const batcher = new Batcher<Sent<T, O>>({
      work: (sent) => this.leased.record(() => all(sent.map((each) => this.toRecord(each)))),
      gather: (signal) => this.ports.clock.sleep(gatherMs, signal),
      keyOf: ({ item }) => item.id,
      isItemAtFault: isRefusedRecord,
    });
    return (sent) => batcher.add(sent);
  }

  private toRecord(sent: Sent<T, O>): Sent<T, O> {
    return { ...sent, item: this.leased.toRecord(sent.item) };
  }

  private renewingBy(renew: NonNullable<Sending<T, O>["renew"]>): Polling {
    const { clock, log } = this.ports;
    return new Polling({
      look: async () => {
        this.renewal = this.renew(renew);
        await this.renewal;
        return false;
      },
      onError: (error) => log.warn({ err: error }, `leases of ${this.sending.what} could not be renewed; retrying`),
      clock,
      everyMs: RENEW_MS,
    });
  }

  private async renew(renew: NonNullable<Sending<T, O>["renew"]>): Promise<void> {
    const items = [...this.inFlight.values()].map((item) => this.leased.held(item));
    if (items.length === 0) return;
    const leasedUntil = leaseFrom(this.ports.clock.now());
    for (const id of await renew(items, leasedUntil)) this.leased.renewed(id, leasedUntil);
  }
}
