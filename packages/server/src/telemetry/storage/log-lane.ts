import type pg from "pg";
import type { GridReadings } from "../operations/grid-readings.js";
import { appendToLog } from "./log-append.js";

interface Waiting {
  readonly powers: GridReadings;
  /** States of charge; null: none. */
  readonly charges: GridReadings | null;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

// A longer row delays those who wait for it.
const MAX_READINGS = 50_000;

/** Appends uploads to the log, all that arrive during a commit as one row, in order of arrival. */
export class LogLane {
  private waiting: Waiting[] = [];
  private isRunning = false;

  constructor(private readonly pool: pg.Pool) {}

  append(powers: GridReadings, charges: GridReadings | null): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ powers, charges, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    try {
      const client = await this.pool.connect();
      client.release(!(await this.appendAll(client)));
    } catch (error) {
      // Without a connection nothing can be written: all waiting callers fail at once, not one after the other.
      for (const upload of this.waiting.splice(0)) upload.reject(error);
    }
    this.isRunning = false;
    if (this.waiting.length > 0) void this.run();
  }

  /** Appends until nothing waits; false at the first failure. */
  private async appendAll(client: pg.PoolClient): Promise<boolean> {
    while (this.waiting.length > 0) {
      const batch = this.take();
      try {
        await appendToLog(client, {
          powers: batch.map(({ powers }) => powers),
          charges: batch.flatMap(({ charges }) => charges ?? []),
        });
      } catch (error) {
        for (const upload of batch) upload.reject(error);
        return false;
      }
      for (const upload of batch) upload.resolve();
    }
    return true;
  }

  private take(): Waiting[] {
    let count = 0;
    const end = this.waiting.findIndex(({ powers, charges }, index) => {
      count += powers.count + (charges?.count ?? 0);
      return index > 0 && count > MAX_READINGS;
    });
    return this.waiting.splice(0, end < 0 ? this.waiting.length : end);
  }
}
