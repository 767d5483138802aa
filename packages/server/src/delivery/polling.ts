import { setTimeout as sleep } from "node:timers/promises";

/** A look once a second is the guarantee; whoever has something to look at may wake the loop besides. */
const POLL_MS = 1000;

/** Looks again and again until it is stopped, one look at a time. */
export class Polling {
  private readonly stopping = new AbortController();
  private waking = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    /** Answers true when there may be more at once. */
    private readonly look: () => Promise<boolean>,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.running = this.run();
  }

  wake(): void {
    this.waking.abort();
  }

  /** Waits for the look that is under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const pause = this.rest();
      const isBusy = await this.look().catch((error: unknown) => {
        this.onError(error);
        return false;
      });
      if (!isBusy) await pause;
    }
  }

  /** Ends at the next poll or when somebody wakes; begun before a look, so that no waking is missed. */
  private async rest(): Promise<void> {
    this.waking = new AbortController();
    await sleep(POLL_MS, undefined, { signal: this.waking.signal }).catch(() => {});
  }
}
