/** A look once a second, unless said, is the guarantee; whoever has something to look at may wake the loop besides. */
const POLL_MS = 1000;

/** Looks again and again until it is stopped, one look at a time. */
export class Polling {
  private isStopped = false;
  /** Somebody woke the loop since the look began. */
  private isAwake = false;
  private endRest: (() => void) | undefined;
  private running: Promise<void> | undefined;

  constructor(
    /** Answers true when there may be more at once. */
    private readonly look: () => Promise<boolean>,
    private readonly onError: (error: unknown) => void,
    private readonly everyMs = POLL_MS,
  ) {}

  start(): void {
    this.running = this.run();
  }

  wake(): void {
    this.isAwake = true;
    this.endRest?.();
  }

  /** Waits for the look that is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      this.isAwake = false;
      const isBusy = await this.look().catch((error: unknown) => {
        this.onError(error);
        return false;
      });
      if (!isBusy && !this.isAwake) await this.rest();
    }
  }

  /** Ends at the next poll or when somebody wakes. */
  private async rest(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.everyMs);
      this.endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endRest = undefined;
  }
}
