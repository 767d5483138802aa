import { HUNG_MS } from "../attempt.js";

export interface PlaceLimits {
  /** Attempts that hang included, each with its connection. */
  readonly inFlight: number;
  /** Attempts that began just now: what is started faster than receivers answer waits in the database. */
  readonly quick: number;
}

export const placeLimits: PlaceLimits = { inFlight: 8192, quick: 2048 };
/** An attempt that takes longer leaves its quick place to the next: it may be one of thousands that never end. */
const QUICK_MS = 300;
/** Of the places in flight, for receivers that did not hang before. */
const RESERVED_SHARE = 0.25;
/** Webhooks; beyond it, the oldest is forgotten. */
const MAX_REMEMBERED = 32_768;

/**
 * The places for attempts. Receivers that hang hold a connection until the time limit of the attempt; whatever their number,
 * the others must find a place at once.
 */
export class AttemptPlaces {
  private inFlight = 0;
  private quick = 0;
  private readonly hanging = new Set<string>();

  /** @param onRoom called when a place is free after there was none */
  constructor(
    private readonly onRoom: () => void,
    private readonly limits: PlaceLimits = placeLimits,
  ) {}

  /** How many attempts may begin now. */
  get room(): number {
    return Math.max(0, Math.min(this.limits.quick - this.quick, this.limits.inFlight - this.inFlight));
  }

  get isEmpty(): boolean {
    return this.inFlight === 0;
  }

  /** Whether a webhook with an attempt in flight gets no second one. */
  get isCrowded(): boolean {
    return this.inFlight > this.limits.inFlight / 2;
  }

  /** Webhooks whose last attempt hung. */
  get hung(): readonly string[] {
    return [...this.hanging];
  }

  /** Whether they have to wait, since only the reserve of the others is left. */
  get barsHung(): boolean {
    return this.inFlight >= this.limits.inFlight * (1 - RESERVED_SHARE);
  }

  /** Takes a place; call the function when the attempt has ended. */
  take(webhookId: string): () => void {
    this.inFlight += 1;
    this.quick += 1;
    let [isQuick, hangs] = [true, false];
    const leaveQuick = (): void => {
      if (isQuick) this.freed(() => (this.quick -= 1));
      isQuick = false;
    };
    const quickTimer = setTimeout(leaveQuick, QUICK_MS);
    const hungTimer = setTimeout(() => {
      hangs = true;
      this.remember(webhookId);
    }, HUNG_MS);
    return () => {
      clearTimeout(quickTimer);
      clearTimeout(hungTimer);
      leaveQuick();
      if (!hangs) this.hanging.delete(webhookId);
      this.freed(() => (this.inFlight -= 1));
    };
  }

  private freed(free: () => void): void {
    const wasFull = this.room === 0;
    free();
    if (wasFull) this.onRoom();
  }

  private remember(webhookId: string): void {
    this.hanging.delete(webhookId);
    this.hanging.add(webhookId);
    const [oldest] = this.hanging;
    if (this.hanging.size > MAX_REMEMBERED && oldest !== undefined) this.hanging.delete(oldest);
  }
}
