import type { LoopClock } from "../clock.js";
import type { Lease, Leased } from "../lease.js";
import type { FaultLog } from "../log.js";
import { Polling } from "../polling.js";
import { type Carrier, RARELY_MS } from "../timetable.js";
import { HeldLeases, LapsedLeases, LEASE_MS } from "./lease.js";
import { Recording } from "./recording.js";

export interface SendingPorts {
  readonly clock: LoopClock;
  readonly log: FaultLog;
}

export const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/** Claims items of a queue that are due under leases, carries them out and records the outcomes, until stopped. */
export abstract class LeasedWorker<T extends Leased> implements Carrier {
  private readonly underWay = new Set<Promise<void>>();
  private readonly leases = new HeldLeases();
  /** Of items that were claimed again while held: the database knows an outcome before this process knows that it does. */
  private readonly again = new Map<string, () => void>();
  private readonly lapsed = new LapsedLeases();
  private readonly recording: Recording;
  private readonly claiming: Polling;

  constructor(protected readonly ports: SendingPorts) {
    const { clock, log } = ports;
    this.recording = new Recording(log, clock);
    this.claiming = new Polling({
      look: () => this.lookNow(),
      onError: (error) => this.lookFailed(error),
      clock,
      everyMs: RARELY_MS,
      restsFirst: true,
    });
  }

  start(): void {
    this.claiming.start();
  }

  /** Call when there may be something new to claim. */
  wake(): void {
    this.claiming.wake();
  }

  answered(now: Date): void {
    this.lapsed.lookMade(now);
  }

  failed(): void {
    this.lapsed.lookFailed();
  }

  /** A lease from now on, also for loops beside this one that claim. */
  lease(): Lease {
    const now = this.ports.clock.now();
    return { now, leasedUntil: leaseFrom(now), lapsedBefore: this.lapsed.before(now) };
  }

  /** Leases that ended during a database outage count as over only a while after it. */
  lookFailed(error: unknown): void {
    this.failed();
    this.reportFailedLook(error);
  }

  /** Stops claiming, as do the given loops that bring items, and waits for running work. */
  async stop(beside: ReadonlyArray<{ stop(): Promise<void> }> = []): Promise<void> {
    this.recording.hurry();
    await Promise.all([this.claiming, ...beside].map((loop) => loop.stop()));
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  /** Claims due items and takes them; true if there may be more at once. */
  protected abstract look(lease: Lease): Promise<boolean>;

  /** The next look follows. */
  protected abstract reportFailedLook(error: unknown): void;

  /** An item ended and freed its place. */
  protected abstract ended(): void;

  /** How many items are being carried out or recorded. */
  protected get count(): number {
    return this.underWay.size;
  }

  /** Carries out those not already held; those held continue under the new lease, which their outcome is recorded with. */
  protected hold(claimed: readonly T[], carryOut: (item: T) => Promise<void>): void {
    for (const item of claimed) {
      if (this.leases.take(item.id, item.leasedUntil)) this.begin(item, carryOut);
      else this.again.set(item.id, () => this.hold([item], carryOut));
    }
  }

  /** The item with its current lease. */
  protected held(item: T): T {
    return this.leases.held(item);
  }

  /** The same, when its outcome is about to be recorded: a later claim gets what is due after this outcome. */
  protected toRecord(item: T): T {
    this.again.delete(item.id);
    return this.leases.held(item);
  }

  /** Call when the lease of a held item was extended. */
  protected renewed(id: string, leasedUntil: Date): void {
    this.leases.take(id, leasedUntil);
  }

  /** Records an outcome, however long the database is down. */
  protected recordAtLast(record: () => Promise<void>): Promise<void> {
    return this.recording.run(record);
  }

  private begin(item: T, carryOut: (item: T) => Promise<void>): void {
    const ending = carryOut(item).finally(() => {
      this.leases.drop(item.id);
      this.underWay.delete(ending);
      const takeAgain = this.again.get(item.id);
      this.again.delete(item.id);
      takeAgain?.();
      this.ended();
    });
    this.underWay.add(ending);
  }

  private async lookNow(): Promise<boolean> {
    const lease = this.lease();
    const hasMore = await this.look(lease);
    this.answered(lease.now);
    return hasMore;
  }
}
