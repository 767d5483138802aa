import type { HourRow } from "@curtail/measure";
import type pg from "pg";
import { type Queryable, transaction } from "../../platform/database/database.js";
import type { GridReadings } from "../operations/grid-readings.js";
import type { TelemetryArchive } from "../operations/record-telemetry.js";
import { CHARGES, findHourType, rowsOf, upsertPasses } from "./upsert-hours.js";

interface Upload {
  readonly readings: GridReadings;
  readonly charges: GridReadings | null;
  readonly meters: ReadonlySet<number>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

// Two transactions keep the database busy while one commits; more would only compete for the same cores and log.
const LANES = 2;
// Beyond this, a longer transaction gains little and delays those who wait for it.
const MAX_READINGS = 50_000;

/**
 * Writes uploads, combining those that arrive during a write into one transaction.
 * Only one transaction at a time writes a meter: two would wait for each other's rows and leave row versions that
 * cannot be pruned. Uploads of one meter are written in order of arrival.
 */
export class TelemetryWriter implements TelemetryArchive {
  private waiting: Upload[] = [];
  private readonly busyMeters = new Set<number>();
  private lanesInUse = 0;
  private compositeOid: Promise<number> | undefined;

  constructor(private readonly pool: pg.Pool) {}

  write(readings: GridReadings, charges: GridReadings | null = null): Promise<void> {
    return new Promise((resolve, reject) => {
      const meters = new Set(readings.keys.map((key) => key.meter));
      this.waiting.push({ readings, charges, meters, resolve, reject });
      this.openLanes();
    });
  }

  private openLanes(): void {
    while (this.lanesInUse < LANES && this.needsLane()) {
      this.lanesInUse += 1;
      void this.runLane();
    }
  }

  /** A lane that is not writing yet takes all waiting uploads; another helps only while one is writing. */
  private needsLane(): boolean {
    const isOfUse = this.lanesInUse === 0 || this.busyMeters.size > 0;
    return isOfUse && this.waiting.some((upload) => isFree(upload, this.busyMeters));
  }

  private async runLane(): Promise<void> {
    try {
      const client = await this.pool.connect();
      client.release(!(await this.writeAll(client)));
    } catch (error) {
      // Without a connection nothing can be written: all waiting callers fail at once, not one after the other.
      for (const upload of this.waiting.splice(0)) upload.reject(error);
    }
    this.lanesInUse -= 1;
    this.openLanes();
  }

  /** Writes batches until nothing it may take is left; false at the first failure. */
  private async writeAll(client: pg.PoolClient): Promise<boolean> {
    for (let batch = this.takeBatch(); batch.length > 0; batch = this.takeBatch()) {
      if (!(await this.writeBatch(client, batch))) return false;
    }
    return true;
  }

  /**
   * The oldest uploads whose meters are not being written, as far as they fit; none overtakes an older one for its
   * meters.
   */
  private takeBatch(): Upload[] {
    const batch: Upload[] = [];
    const held = new Set<number>();
    const left: Upload[] = [];
    let count = 0;
    for (const upload of this.waiting) {
      const fits = batch.length === 0 || count + countOf(upload) <= MAX_READINGS;
      if (fits && isFree(upload, this.busyMeters) && isFree(upload, held)) {
        batch.push(upload);
        count += countOf(upload);
      } else {
        left.push(upload);
        for (const meter of upload.meters) held.add(meter);
      }
    }
    this.waiting = left;
    for (const upload of batch) for (const meter of upload.meters) this.busyMeters.add(meter);
    return batch;
  }

  private async writeBatch(client: pg.PoolClient, batch: readonly Upload[]): Promise<boolean> {
    const rows = rowsOf(batch.map(({ readings }) => readings));
    const charges = rowsOf(batch.flatMap((upload) => upload.charges ?? []));
    const failure = await this.store(client, rows, charges).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    for (const upload of batch) for (const meter of upload.meters) this.busyMeters.delete(meter);
    for (const upload of batch) {
      if (failure === null) upload.resolve();
      else upload.reject(failure.error);
    }
    return failure === null;
  }

  private async store(client: pg.PoolClient, rows: readonly HourRow[], charges: readonly HourRow[]): Promise<void> {
    const oid = await this.oid(client);
    const [first, ...others] = [...upsertPasses(rows, oid), ...upsertPasses(charges, oid, CHARGES)];
    // A single statement needs no transaction: one round trip instead of three.
    if (others.length === 0) return first?.(client);
    await transaction(client, async () => {
      for (const pass of [first, ...others]) await pass?.(client);
    });
  }

  private oid(db: Queryable): Promise<number> {
    this.compositeOid ??= findHourType(db).catch((error: unknown) => {
      this.compositeOid = undefined;
      throw error;
    });
    return this.compositeOid;
  }
}

const countOf = ({ readings, charges }: Upload): number => readings.count + (charges?.count ?? 0);

const isFree = (upload: Upload, taken: ReadonlySet<number>): boolean => {
  if (taken.size === 0) return true;
  for (const meter of upload.meters) if (taken.has(meter)) return false;
  return true;
};
