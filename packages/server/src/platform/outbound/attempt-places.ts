import { HUNG_MS } from "../attempt.js";
import type { Place } from "../places.js";
import { remember } from "../remember.js";

export interface PlaceLimits {
  /** Attempts that hang included, each with its connection. */
  readonly inFlight: number;
  /** Attempts that began just now: what is started faster than receivers answer waits in the database. */
  readonly quick: number;
  /** Attempts that wait for their turn to begin: what is claimed later may not wait behind thousands. */
  readonly waiting: number;
  /** The same for those that are claimed as soon as they are made, which costs the database less than a claim of what is due. */
  readonly fresh: number;
}

export const placeLimits: PlaceLimits = { inFlight: 8192, quick: 2048, waiting: 256, fresh: 1024 };
/** Of the places to wait: while fewer are free there is no room, since few claims of many cost less than many of few. */
const WORTHWHILE_SHARE = 0.125;
/** Of the places for fresh ones: while fewer are free, few large statements that make some are better than many small ones. */
const WORTHWHILE_FRESH = 0.5;
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
  /** By whether it was claimed as soon as it was made. */
  private readonly waiting = { fresh: 0, due: 0 };
  private readonly hanging = new Set<string>();
  private readonly taking = new Set<string>();

  /**
   * @param onRoom called when a place is free after there was none
   * @param onFreshRoom called when there is room for many fresh ones again
   */
  constructor(
    private readonly onRoom: () => void,
    private readonly onFreshRoom: () => void,
    private readonly limits: PlaceLimits = placeLimits,
  ) {}

  /** How many attempts may be claimed now. */
  get room(): number {
    const free = this.limits.waiting - this.waiting.due;
    return free < this.limits.waiting * WORTHWHILE_SHARE ? 0 : Math.min(free, this.places);
  }

  /** How many that are claimed as soon as they are made: neither kind takes the places of the other. */
  get freshRoom(): number {
    return Math.min(this.limits.fresh - this.waiting.fresh, this.places);
  }

  /** Whether there is room for many of them. */
  get hasFreshRoom(): boolean {
    return this.freshRoom >= this.limits.fresh * WORTHWHILE_FRESH;
  }

  private get places(): number {
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

  /** Webhooks that took their last attempt, soon enough. */
  get reliable(): readonly string[] {
    return [...this.taking];
  }

  isReliable(webhookId: string): boolean {
    return this.taking.has(webhookId);
  }

  /** Whether those that hung have to wait, since only the reserve of the others is left. */
  get barsHung(): boolean {
    return this.inFlight >= this.limits.inFlight * (1 - RESERVED_SHARE);
  }

  /** Takes a place for an attempt that begins soon. */
  take(webhookId: string, kind: "fresh" | "due" = "due"): Place {
    this.inFlight += 1;
    this.quick += 1;
    this.waiting[kind] += 1;
    let [isWaiting, isQuick, isOver, hangs] = [true, true, false, false];
    const timers: NodeJS.Timeout[] = [];
    const stopWaiting = (): void => {
      if (isWaiting) this.freed(() => (this.waiting[kind] -= 1));
      isWaiting = false;
    };
    const leaveQuick = (): void => {
      if (isQuick) this.freed(() => (this.quick -= 1));
      isQuick = false;
    };
    // In the turn after: an answer that waited for this process to read it is no sign of a receiver that hangs.
    const hang = (): void =>
      void setImmediate(() => {
        if (isOver) return;
        hangs = true;
        remember(this.hanging, webhookId, MAX_REMEMBERED);
      });
    return {
      begin: () => {
        stopWaiting();
        timers.push(setTimeout(leaveQuick, QUICK_MS), setTimeout(hang, HUNG_MS));
      },
      leave: (isTaken) => {
        isOver = true;
        for (const timer of timers) clearTimeout(timer);
        stopWaiting();
        leaveQuick();
        if (!hangs) this.hanging.delete(webhookId);
        if (isTaken && !hangs) remember(this.taking, webhookId, MAX_REMEMBERED);
        else this.taking.delete(webhookId);
        this.freed(() => (this.inFlight -= 1));
      },
    };
  }

  private freed(free: () => void): void {
    const [wasFull, hadFreshRoom] = [this.room === 0, this.hasFreshRoom];
    free();
    if (wasFull && this.room > 0) this.onRoom();
    if (!hadFreshRoom && this.hasFreshRoom) this.onFreshRoom();
  }
}
