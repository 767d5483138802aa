import type { LoopClock } from "../../platform/clock.js";
import { isRefusedRecord } from "../../platform/worker/recording.js";
import type { AttemptRecord } from "../domain/delivery.js";

/** Covers most attempts of a dispatch to a thousand webhooks; a commit for each took longer than sending them. */
const GATHER_MS = 200;

interface Waiting {
  readonly record: AttemptRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Collects the outcomes of attempts and records them in batches, one after the other. */
export class AttemptRecorder {
  private waiting: Waiting[] = [];
  private gathering: AbortController | undefined;
  private lastRecorded: Promise<void> = Promise.resolve();

  constructor(
    private readonly record: (records: readonly AttemptRecord[]) => Promise<void>,
    private readonly clock: Pick<LoopClock, "sleep">,
  ) {}

  /** Resolves once recorded; rejects with the reason if that fails. */
  add(record: AttemptRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ record, resolve, reject });
      this.flushLater();
    });
  }

  /** Call if no more are expected soon: records at once what is waiting. */
  flush(): void {
    this.gathering?.abort();
    this.gathering = undefined;
    this.lastRecorded = this.lastRecorded.then(() => this.recordWaiting());
  }

  private flushLater(): void {
    if (this.gathering === undefined) void this.gather();
  }

  private async gather(): Promise<void> {
    const { signal } = (this.gathering = new AbortController());
    await this.clock.sleep(GATHER_MS, signal);
    if (!signal.aborted) this.flush();
  }

  private async recordWaiting(): Promise<void> {
    await this.recordTogether(this.takeBatch());
    if (this.waiting.length > 0) this.flushLater();
  }

  /** A delivery sent again after its lease ended may be waiting twice; the second goes into the next batch. */
  private takeBatch(): Waiting[] {
    const batch = new Map<string, Waiting>();
    const left: Waiting[] = [];
    for (const each of this.waiting) {
      const { id } = each.record.delivery;
      if (batch.has(id)) left.push(each);
      else batch.set(id, each);
    }
    this.waiting = left;
    return [...batch.values()];
  }

  private async recordTogether(batch: readonly Waiting[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      await this.record(batch.map(({ record }) => record));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // A record that the database refuses must not cost the others, which would be sent again.
      if (batch.length > 1 && isRefusedRecord(error))
        await Promise.all(batch.map(async (each) => this.recordTogether([each])));
      else for (const { reject } of batch) reject(error);
    }
  }
}
