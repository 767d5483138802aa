import type { LoopClock } from "../clock.js";

const RETRY_MS = 500;
/** What was sent is known here only; a database that is away for longer leaves other worries than a second notice. */
const PATIENCE_MS = 3_600_000;
/** Once the process is to end. */
const LAST_PATIENCE_MS = 5000;

/** SQLSTATE classes of what the database will not take at any time: wrong data, broken constraints, wrong statements. */
const REFUSED = /^(21|22|23|42)/;

export interface RecordingLog {
  warn(details: object, message: string): void;
}

/** Whether the record itself is at fault, and not that the database is away. */
export const isRefusedRecord = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && REFUSED.test(String(Reflect.get(error, "code") ?? "")));

/**
 * Records what was sent, however long the database is away: what is not recorded would be sent again. Throws what the
 * database refuses, and once there is no more time.
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

  /** The process is to end: what cannot be recorded soon is given up. */
  hurry(): void {
    this.endsMs = performance.now() + LAST_PATIENCE_MS;
    this.pausing.abort();
    this.pausing = new AbortController();
  }
}
