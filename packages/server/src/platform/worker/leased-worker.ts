import type { LoopClock } from "../clock.js";
import { Polling } from "../polling.js";
import { Hands, LapsedLeases, LEASE_MS } from "./lease.js";
import { Recording, type RecordingLog } from "./recording.js";

/** What is claimed from a queue until its lease ends. */
export interface Leased {
  readonly id: string;
  readonly leasedUntil: Date;
}

/** Which items a look claims, and for how long. */
export interface Lease {
  readonly now: Date;
  readonly leasedUntil: Date;
  /** Leases that ended by then are over. */
  readonly lapsedBefore: Date;
}

export interface LeasedWork {
  readonly clock: LoopClock;
  readonly log: RecordingLog;
  /** Claims due items and takes them; true when there may be more at once. */
  readonly look: (lease: Lease) => Promise<boolean>;
  /** A look failed; the next one follows. */
  readonly onError: (error: unknown) => void;
  /** An item has ended, and has left its place. */
  readonly onEnd?: () => void;
}

export const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/** Claims items of a queue under leases, carries them out and records what came of them, until it is stopped. */
export class LeasedWorker<T extends Leased> {
  private readonly underWay = new Set<Promise<void>>();
  private readonly hands = new Hands();
  private readonly lapsed = new LapsedLeases();
  private readonly recording: Recording;
  private readonly claiming: Polling;

  constructor(private readonly work: LeasedWork) {
    const { clock, log } = work;
    this.recording = new Recording(log, clock);
    this.claiming = new Polling({ look: () => this.look(), onError: (error) => this.lookFailed(error), clock });
  }

  start(): void {
    this.claiming.start();
  }

  /** There may be something new to claim. */
  wake(): void {
    this.claiming.wake();
  }

  /** How many items are being carried out or recorded. */
  get count(): number {
    return this.underWay.size;
  }

  /** Carries out those that are not in hand already; those that are go on under the new lease. */
  take(claimed: readonly T[], carryOut: (item: T) => Promise<void>): void {
    for (const item of claimed) {
      if (!this.hands.take(item.id, item.leasedUntil)) continue;
      const ending = carryOut(item).finally(() => {
        this.hands.drop(item.id);
        this.underWay.delete(ending);
        this.work.onEnd?.();
      });
      this.underWay.add(ending);
    }
  }

  /** The item with the lease that it has by now. */
  held(item: T): T {
    return this.hands.held(item);
  }

  /** The lease of an item in hand was lengthened. */
  renewed(id: string, leasedUntil: Date): void {
    this.hands.take(id, leasedUntil);
  }

  /** Records an outcome, however long the database is away. */
  record(record: () => Promise<void>): Promise<void> {
    return this.recording.run(record);
  }

  /** Leases that ended while the database was away are not over until it has been back for a while. */
  lookFailed(error: unknown): void {
    this.lapsed.lookFailed();
    this.work.onError(error);
  }

  /** Claims nothing new, as do loops beside it that bring items, and waits for what is under way. */
  async stop(beside: readonly Polling[] = []): Promise<void> {
    this.recording.hurry();
    await Promise.all([this.claiming, ...beside].map((loop) => loop.stop()));
    await Promise.all(this.underWay);
  }

  private async look(): Promise<boolean> {
    const now = this.work.clock.now();
    const hasMore = await this.work.look({ now, leasedUntil: leaseFrom(now), lapsedBefore: this.lapsed.before(now) });
    this.lapsed.lookMade(now);
    return hasMore;
  }
}
