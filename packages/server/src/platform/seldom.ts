import { within } from "./within.js";

/** Work that takes longer is not done for each who asks. */
export const LONG_MS = 1000;
/** After long work as many times as long passes before it is done again. */
export const REST = 10;
/** How long somebody waits for it. */
export const PATIENCE_MS = 8000;

interface Done<T> {
  readonly result: T;
  readonly beganMs: number;
  readonly tookMs: number;
}

/** Work whose time grows with what is stored: done for each who asks while it is short, and seldom once it is long. */
export class Seldom<T> {
  private last: Done<T> | null = null;
  private running: { readonly done: Promise<T>; readonly beganMs: number } | null = null;

  /** @param monotonicMs real time; set by tests */
  constructor(
    private readonly work: () => Promise<T>,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** What it is now; of long work the last result, unless nobody has asked for long; null: there is none yet. */
  async result(): Promise<T | null> {
    const { last, running } = this;
    const nowMs = this.monotonicMs();
    if (last !== null && last.tookMs >= LONG_MS) return this.known(last, nowMs);
    const isLong = running !== null && nowMs - running.beganMs >= LONG_MS;
    return this.inTime(isLong ? running.done : this.run(nowMs));
  }

  /** Begins long work where it has rested, for those who ask later. */
  private async known(last: Done<T>, nowMs: number): Promise<T | null> {
    const restedMs = nowMs - last.beganMs - REST * last.tookMs;
    if (restedMs < 0) return last.result;
    const done = this.running?.done ?? this.run(nowMs);
    if (restedMs >= REST * last.tookMs) return this.inTime(done);
    done.catch(() => {});
    return last.result;
  }

  private inTime(done: Promise<T>): Promise<T | null> {
    return within(done, PATIENCE_MS, () => this.last?.result ?? null);
  }

  private run(beganMs: number): Promise<T> {
    const done = this.work();
    const running = { done, beganMs };
    this.running = running;
    const ended = (): void => {
      if (this.running === running) this.running = null;
    };
    done.then((result) => {
      ended();
      this.last = { result, beganMs, tookMs: this.monotonicMs() - beganMs };
    }, ended);
    return done;
  }
}
