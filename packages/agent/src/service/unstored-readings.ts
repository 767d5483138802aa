import { messageOf } from "../devices/device.js";
import type { Reading } from "../readings/meter-sampler.js";

/** A week of a meter with a reading a minute. */
const MOST = 10_000;

/** Stores readings on disk, and keeps those that the disk did not take until it does. */
export class UnstoredReadings {
  /** Why the disk took nothing; null: it did. */
  fault: string | null = null;
  /** Readings that were dropped because there were too many to keep. */
  dropped = 0;
  private held: readonly Reading[] = [];

  /** @param store resolves once a reading is on disk */
  constructor(private readonly store: (reading: Reading) => Promise<unknown>) {}

  get count(): number {
    return this.held.length;
  }

  /** Stores readings after those that are left, the oldest first. */
  async put(readings: readonly Reading[]): Promise<void> {
    this.hold([...this.held, ...readings]);
    while (this.held.length > 0) {
      // After a failure one of them shows whether the disk takes more.
      const batch = this.held.slice(0, this.fault === null ? this.held.length : 1);
      const failed = await this.failuresOf(batch);
      this.hold([...failed, ...this.held.slice(batch.length)]);
      if (failed.length > 0) return;
    }
  }

  private async failuresOf(batch: readonly Reading[]): Promise<readonly Reading[]> {
    const outcomes = await Promise.allSettled(batch.map((reading) => this.store(reading)));
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    this.fault = failure === undefined ? null : messageOf(failure.reason);
    return batch.filter((_, index) => outcomes[index]?.status === "rejected");
  }

  private hold(readings: readonly Reading[]): void {
    this.held = readings.slice(-MOST);
    this.dropped += readings.length - this.held.length;
  }
}
