/**
 * How long what a worker took is its own. An attempt takes ten seconds, and its record is to fit in as well; what a killed
 * process had in its hands waits for no longer than this and a look at the queue.
 */
export const LEASE_MS = 13_000;
/** Of a database that is back: until then every process has recorded what became of what it sent meanwhile. */
const GRACE_MS = 5000;

/** Which leases of others are over. Those that ended while the database was away are not, until it is back for a while. */
export class LapsedLeases {
  private lastLook: Date | null = null;
  private keptFrom: Date | null = null;
  private keptUntilMs = Number.POSITIVE_INFINITY;

  /** Leases that ended by then are over. */
  before(now: Date): Date {
    if (performance.now() >= this.keptUntilMs) this.keptFrom = null;
    return this.keptFrom !== null && this.keptFrom < now ? this.keptFrom : now;
  }

  lookMade(now: Date): void {
    this.lastLook = now;
    if (this.keptFrom !== null) this.keptUntilMs = Math.min(this.keptUntilMs, performance.now() + GRACE_MS);
  }

  lookFailed(): void {
    if (this.keptFrom !== null) return;
    this.keptFrom = this.lastLook;
    this.keptUntilMs = Number.POSITIVE_INFINITY;
  }
}

/** What this process has in its hands. What is claimed again, since its lease ran out, goes on under the new lease. */
export class Hands {
  private readonly leases = new Map<string, Date>();

  /** false: it is in hand already, and not to be taken up twice. */
  take(id: string, leasedUntil: Date): boolean {
    const isNew = !this.leases.has(id);
    this.leases.set(id, leasedUntil);
    return isNew;
  }

  /** With the lease that it has by now. */
  held<T extends { readonly id: string; readonly leasedUntil: Date }>(item: T): T {
    const leasedUntil = this.leases.get(item.id) ?? item.leasedUntil;
    return leasedUntil === item.leasedUntil ? item : { ...item, leasedUntil };
  }

  drop(id: string): void {
    this.leases.delete(id);
  }
}
