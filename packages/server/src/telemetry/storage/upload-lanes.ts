import type pg from "pg";
import { transaction } from "../../platform/database/database.js";
import { forgetShards, groupsByShard } from "../../platform/database/shards.js";
import type { Slots } from "../../platform/slots.js";
import type { GridReadings } from "../operations/grid-readings.js";
import { rowsOf, runPasses, upsertPasses } from "./upsert-hours.js";

/** What an upload has for one shard. */
export interface UploadPart {
  readonly readings: GridReadings;
  readonly charges: GridReadings | null;
  /** Its number. */
  readonly shard: number;
}

interface Waiting extends UploadPart {
  readonly meters: ReadonlySet<number>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface LaneTerms {
  readonly pool: pg.Pool;
  /** For the lanes of all workers together. */
  readonly slots: Slots;
  /** The type of a row. */
  readonly hourType: (db: pg.PoolClient) => Promise<number>;
}

// Two transactions keep the database busy while one commits; more would only compete for the same cores and log.
const LANES = 2;
// Beyond this, a longer transaction gains little and delays those who wait for it.
const MAX_READINGS = 50_000;

/**
 * Writes what is stored on one worker, combining what arrives for a shard during a write into one transaction.
 * Only one transaction at a time writes a meter: two would wait for each other's rows and leave row versions that
 * cannot be pruned. Uploads of one meter are written in order of arrival.
 */
export class UploadLanes {
  private waiting: Waiting[] = [];
  private readonly busyMeters = new Set<number>();
  private lanesInUse = 0;

  constructor(private readonly terms: LaneTerms) {}

  write(part: UploadPart): Promise<void> {
    return new Promise((resolve, reject) => {
      const meters = new Set(part.readings.keys.map((key) => key.meter));
      this.waiting.push({ ...part, meters, resolve, reject });
      this.openLanes();
    });
  }

  private openLanes(): void {
    while (this.lanesInUse < LANES && this.needsLane()) {
      this.lanesInUse += 1;
      void this.terms.slots.run(() => this.runLane());
    }
  }

  /** A lane that is not writing yet takes all waiting uploads; another helps only while one is writing. */
  private needsLane(): boolean {
    const isOfUse = this.lanesInUse === 0 || this.busyMeters.size > 0;
    return isOfUse && this.waiting.some((upload) => isFree(upload, this.busyMeters));
  }

  private async runLane(): Promise<void> {
    try {
      const client = await this.terms.pool.connect();
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
   * The oldest uploads of a shard whose meters are not being written, as far as they fit; none overtakes an older one
   * for its meters.
   */
  private takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const held = new Set<number>();
    const left: Waiting[] = [];
    let count = 0;
    for (const upload of this.waiting) {
      const [first] = batch;
      const fits = first === undefined || (first.shard === upload.shard && count + countOf(upload) <= MAX_READINGS);
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

  private async writeBatch(client: pg.PoolClient, batch: readonly Waiting[]): Promise<boolean> {
    const failure = await this.store(client, batch).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (failure !== null) forgetShards(this.terms.pool);
    for (const upload of batch) for (const meter of upload.meters) this.busyMeters.delete(meter);
    for (const upload of batch) {
      if (failure === null) upload.resolve();
      else upload.reject(failure.error);
    }
    return failure === null;
  }

  private async store(client: pg.PoolClient, batch: readonly Waiting[]): Promise<void> {
    const oid = await this.terms.hourType(client);
    const powers = await groupsByShard(client, rowsOf(batch.map(({ readings }) => readings)));
    const stored = batch.flatMap((upload) => upload.charges ?? []);
    const charges = await groupsByShard(client, rowsOf(stored));
    const ofPowers = powers.flatMap((group) => upsertPasses(group, oid));
    const ofCharges = charges.flatMap((group) => upsertPasses(group, oid, "charge"));
    const readings = batch.map((upload) => upload.readings);
    // A single statement needs no transaction: one round trip instead of three.
    if (ofPowers.length <= 1 && ofCharges.length === 0)
      return runPasses(client, ofPowers, { powers: readings, charges: [] });
    await transaction(client, async () => {
      await runPasses(client, ofPowers, { powers: readings, charges: [] });
      await runPasses(client, ofCharges, { powers: [], charges: stored });
    });
  }
}

const countOf = ({ readings, charges }: Waiting): number => readings.count + (charges?.count ?? 0);

const isFree = (upload: Waiting, taken: ReadonlySet<number>): boolean => {
  if (taken.size === 0) return true;
  for (const meter of upload.meters) if (taken.has(meter)) return false;
  return true;
};
