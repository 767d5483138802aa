import type { LoopClock } from "../clock.js";

const RETRY_MS = 500;
/** Only this process knows what was sent; after a longer outage, a duplicate notice is the least problem. */
const PATIENCE_MS = 3_600_000;
/** The same once the process is stopping. */
const LAST_PATIENCE_MS = 5000;

/** SQLSTATE classes of permanent failures: wrong data, broken constraints, wrong statements. */
const REFUSED = /^(21|22|23|42)/;

export interface RecordingLog {
  warn(details: object, message: string): void;
}

/** Whether the record itself is at fault, rather than the database being down. */
export const isRefusedRecord = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && REFUSED.test(String(Reflect.get(error, "code") ?? "")));

/**
 * Records what was sent, however long the database is down: what is not recorded would be sent again. Throws what the
 * database refuses, and when the time is up.
 */
export class Recording {
  private endsMs = Number.POSITIVE_INFINITY;
  private pausing = new AbortController();

  constructor(
    private readonly log: RecordingLog,
    private readonly clock: Pick<LoopClock, "sleep">,
  ) {}

  async run(record: () => Promise<void>): Promise<void> {
    const patienceEndsMs = performance.now() + PATIENCE_MS;
    for (let tries = 1; ; tries++) {
      try {
        return await record();
      } catch (error) {
        if (isRefusedRecord(error) || performance.now() > Math.min(patienceEndsMs, this.endsMs)) throw error;
        if (tries === 1) this.log.warn({ err: error }, "a sent notice could not be recorded; retrying until it is");
        await this.clock.sleep(RETRY_MS, this.pausing.signal);
      }
    }
  }

  /** The process is stopping: give up what cannot be recorded soon. */
  hurry(): void {
    this.endsMs = performance.now() + LAST_PATIENCE_MS;
    this.pausing.abort();
    this.pausing = new AbortController();
  }
}
