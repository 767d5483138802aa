import type { LoopClock } from "./clock.js";

/** Default interval. Polling guarantees progress; other code may also wake the loop. */
const POLL_MS = 1000;

export interface Loop {
  /** Returns true if there may be more to do at once. `stopping` is aborted when the loop is stopped. */
  readonly look: (stopping: AbortSignal) => Promise<boolean | void>;
  readonly onError: (error: unknown) => void;
  readonly clock: Pick<LoopClock, "sleep">;
  /** A function is asked after each look. */
  readonly everyMs?: number | (() => number);
  /** Whether to rest before the first look. */
  readonly restsFirst?: boolean;
}

/** Looks repeatedly until stopped, one look at a time. */
export class Polling {
  private readonly stopping = new AbortController();
  /** Whether the loop was woken since the look began. */
  private isAwake = false;
  private resting: AbortController | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly loop: Loop) {}

  start(): void {
    this.running = this.run();
  }

  wake(): void {
    this.isAwake = true;
    this.resting?.abort();
  }

  /** Waits for the current look. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    if (this.loop.restsFirst === true) await this.rest();
    while (!this.stopping.signal.aborted) {
      this.isAwake = false;
      const isBusy = await this.loop.look(this.stopping.signal).catch(this.loop.onError);
      if (isBusy !== true && !this.isAwake) await this.rest();
    }
  }

  /** Ends at the next poll or when woken. */
  private async rest(): Promise<void> {
    this.resting = new AbortController();
    const { everyMs = POLL_MS, clock } = this.loop;
    await clock.sleep(typeof everyMs === "number" ? everyMs : everyMs(), this.resting.signal);
    this.resting = undefined;
  }
}
