import type { LoopClock } from "./clock.js";
import { Polling } from "./polling.js";

/** How long work that was written meanwhile may go unnoticed by those that nobody woke. */
const LOOK_MS = 1000;
/** Work that stays due is reported again after this, then after twice as long, and so on: it may be claimed, or wait for a place. */
const AGAIN_MS = 20;

/** How often followers of the timetable look by themselves, for work that nothing announces. */
export const RARELY_MS = 60_000;

/** Whoever carries out a kind of work. */
export interface Carrier {
  /** Some of it is due. */
  wake(): void;
  /** The database answered what is due at `now`. */
  answered?(now: Date): void;
  /** The database could not be asked. */
  failed?(): void;
}

export interface TimetablePorts<W> {
  /** When the next of each kind of work is due, in their order; null for a kind of which there is none. */
  readonly read: (kinds: readonly W[], now: Date) => Promise<ReadonlyArray<Date | null>>;
  readonly clock: Pick<LoopClock, "now" | "sleep">;
  readonly onError: (error: unknown) => void;
}

interface Kind<W> {
  readonly work: W;
  readonly carrier: Carrier;
  /** When to report it again while it stays due. */
  againMs: number;
}

/**
 * Asks for all kinds of work together what is due, and wakes those that carry it out at that moment: a scenario played 600
 * times faster has no second to lose.
 */
export class Timetable<W> {
  private readonly kinds: Array<Kind<W>> = [];
  private readonly polling: Polling;
  private pauseMs = LOOK_MS;

  constructor(private readonly ports: TimetablePorts<W>) {
    this.polling = new Polling({
      look: () => this.look(),
      onError: (error) => this.fail(error),
      clock: ports.clock,
      everyMs: () => this.pauseMs,
    });
  }

  /** Wakes `carrier` whenever some of this work is due. */
  on(work: W, carrier: Carrier): void {
    this.kinds.push({ work, carrier, againMs: AGAIN_MS });
    this.polling.wake();
  }

  /** The same for several kinds that one carries out. */
  onAll<Name extends string>(
    works: Readonly<Record<Name, W>>,
    carriers: Readonly<Record<NoInfer<Name>, Carrier>>,
  ): void {
    for (const name of Object.keys(works) as Name[]) this.on(works[name], carriers[name]);
  }

  /** Call when something was committed that may be due. */
  wake(): void {
    this.polling.wake();
  }

  start(): void {
    this.polling.start();
  }

  /** Waits for the current look. */
  stop(): Promise<void> {
    return this.polling.stop();
  }

  private async look(): Promise<void> {
    const now = this.ports.clock.now();
    const kinds = [...this.kinds];
    this.pauseMs = LOOK_MS;
    if (kinds.length === 0) return;
    const times = await this.ports.read(
      kinds.map(({ work }) => work),
      now,
    );
    const pauses = kinds.map((kind, place) => this.tell(kind, times[place] ?? null, now));
    this.pauseMs = Math.min(LOOK_MS, ...pauses);
  }

  /** Returns after how long to look again, in milliseconds. */
  private tell(kind: Kind<W>, at: Date | null, now: Date): number {
    kind.carrier.answered?.(now);
    const aheadMs = at === null ? LOOK_MS : at.getTime() - now.getTime();
    if (aheadMs > 0) {
      kind.againMs = AGAIN_MS;
      return aheadMs;
    }
    const pauseMs = kind.againMs;
    kind.againMs = Math.min(2 * pauseMs, LOOK_MS);
    kind.carrier.wake();
    return pauseMs;
  }

  private fail(error: unknown): void {
    for (const { carrier } of this.kinds) carrier.failed?.();
    this.ports.onError(error);
  }
}
