import type { LoopClock } from "./clock.js";

/** Default interval. Polling guarantees progress; other code may also wake the loop. */
const POLL_MS = 1000;

export interface Loop {
  /**
   * Returns true if there may be more to do at once. `isExpected` tells whether there likely is something to do: the
   * loop was woken, or the look before left more. Else it may ask for that first, which is cheaper.
   */
  readonly look: (isExpected: boolean) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
  readonly clock: Pick<LoopClock, "sleep">;
  readonly everyMs?: number;
  /** Whether to rest before the first look. */
  readonly restsFirst?: boolean;
}

/** Looks repeatedly until stopped, one look at a time. */
export class Polling {
  private isStopped = false;
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
    this.isStopped = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    if (this.loop.restsFirst === true) await this.rest();
    let isBusy = false;
    while (!this.isStopped) {
      const isExpected: boolean = isBusy || this.isAwake;
      this.isAwake = false;
      isBusy = await this.loop.look(isExpected).catch((error: unknown) => {
        this.loop.onError(error);
        return false;
      });
      if (!isBusy && !this.isAwake) await this.rest();
    }
  }

  /** Ends at the next poll or when woken. */
  private async rest(): Promise<void> {
    this.resting = new AbortController();
    await this.loop.clock.sleep(this.loop.everyMs ?? POLL_MS, this.resting.signal);
    this.resting = undefined;
  }
}
