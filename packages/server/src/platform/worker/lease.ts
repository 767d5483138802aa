/**
 * How long a worker holds what it claimed: an attempt of ten seconds and its record. Items of a killed process wait at
 * most this long, plus one poll of the queue.
 */
export const LEASE_MS = 13_000;
/** After the database is back, every process needs this long to record what it sent meanwhile. */
const GRACE_MS = 5000;

/** Decides which leases of others are over. Those that ended during a database outage count only a while after it. */
export class LapsedLeases {
  private lastLook: Date | null = null;
  private keptFrom: Date | null = null;
  private keptUntilMs = Number.POSITIVE_INFINITY;

  /** Leases that ended before this are over. */
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

/** The items this process holds. An item claimed again after its lease ran out continues under the new lease. */
export class HeldLeases {
  private readonly leases = new Map<string, Date>();

  /** false if it is already held and must not be started twice. */
  take(id: string, leasedUntil: Date): boolean {
    const isNew = !this.leases.has(id);
    this.leases.set(id, leasedUntil);
    return isNew;
  }

  /** The item with its current lease. */
  held<T extends { readonly id: string; readonly leasedUntil: Date }>(item: T): T {
    const leasedUntil = this.leases.get(item.id) ?? item.leasedUntil;
    return leasedUntil === item.leasedUntil ? item : { ...item, leasedUntil };
  }

  drop(id: string): void {
    this.leases.delete(id);
  }
}
