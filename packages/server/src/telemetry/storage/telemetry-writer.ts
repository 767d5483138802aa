import { type HourRow, hourRows, runsOf } from "@curtail/measure";
import type pg from "pg";
import { type Queryable, transaction } from "../../platform/database/database.js";
import type { GridReadings } from "../operations/grid-readings.js";
import type { TelemetryArchive } from "../operations/record-telemetry.js";
import { encodeStretches, type HourStretch } from "./telemetry-encoding.js";

interface Upload {
  readonly readings: GridReadings;
  readonly meters: ReadonlySet<number>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

// Two transactions keep the database busy while one commits; more only wait for the same cores and log.
const LANES = 2;
// Beyond that a longer transaction gains little and delays those who wait for it.
const MAX_READINGS = 50_000;

/**
 * Writes uploads, gathering those that arrive while others are being written into one transaction.
 * One transaction at a time has a meter: two would wait for each other's rows and leave row versions
 * that cannot be pruned. Uploads of one meter are written in the order they came.
 */
export class TelemetryWriter implements TelemetryArchive {
  private waiting: Upload[] = [];
  private readonly busyMeters = new Set<number>();
  private lanesInUse = 0;
  private compositeOid: Promise<number> | undefined;

  constructor(private readonly pool: pg.Pool) {}

  write(readings: GridReadings): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ readings, meters: new Set(readings.keys.map((key) => key.meter)), resolve, reject });
      this.openLanes();
    });
  }

  private openLanes(): void {
    while (this.lanesInUse < LANES && this.needsLane()) {
      this.lanesInUse += 1;
      void this.runLane();
    }
  }

  /** A lane that is not writing yet takes all that waits; another is of use only beside one that writes. */
  private needsLane(): boolean {
    const isOfUse = this.lanesInUse === 0 || this.busyMeters.size > 0;
    return isOfUse && this.waiting.some((upload) => isFree(upload, this.busyMeters));
  }

  private async runLane(): Promise<void> {
    try {
      const client = await this.pool.connect();
      client.release(!(await this.writeAll(client)));
    } catch (error) {
      // Without a connection nobody can be served: all waiting callers fail together, not one after the other.
      for (const upload of this.waiting.splice(0)) upload.reject(error);
    }
    this.lanesInUse -= 1;
    this.openLanes();
  }

  /** Writes batch after batch until nothing is left that it may take; false at the first failure. */
  private async writeAll(client: pg.PoolClient): Promise<boolean> {
    for (let batch = this.takeBatch(); batch.length > 0; batch = this.takeBatch()) {
      if (!(await this.writeBatch(client, batch))) return false;
    }
    return true;
  }

  /**
   * The oldest uploads whose meters nobody is writing, as far as they fit; none overtakes an older one of its meters.
   */
  private takeBatch(): Upload[] {
    const batch: Upload[] = [];
    const held = new Set<number>();
    const left: Upload[] = [];
    let count = 0;
    for (const upload of this.waiting) {
      const fits = batch.length === 0 || count + upload.readings.count <= MAX_READINGS;
      if (fits && isFree(upload, this.busyMeters) && isFree(upload, held)) {
        batch.push(upload);
        count += upload.readings.count;
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
    const failure = await this.store(client, rowsOf(batch)).then(
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

  private async store(client: pg.PoolClient, rows: readonly HourRow[]): Promise<void> {
    const oid = await this.oid(client);
    const passes = passesOf(rows);
    // A single statement commits by itself, one round trip instead of three.
    if (passes.length === 1 && passes[0] !== undefined) return upsert(client, passes[0], oid);
    await transaction(client, async () => {
      for (const pass of passes) await upsert(client, pass, oid);
    });
  }

  private oid(db: Queryable): Promise<number> {
    this.compositeOid ??= findOid(db).catch((error: unknown) => {
      this.compositeOid = undefined;
      throw error;
    });
    return this.compositeOid;
  }
}

const isFree = (upload: Upload, taken: ReadonlySet<number>): boolean => {
  if (taken.size === 0) return true;
  for (const meter of upload.meters) if (taken.has(meter)) return false;
  return true;
};

/** Readings of several uploads as one sorted set of rows; what came later replaces what came before. */
const rowsOf = (batch: readonly Upload[]): HourRow[] => {
  const rows = hourRows();
  for (const { readings } of batch) {
    const { count, keys, source, lastCell, cellCount, powerKw } = readings;
    for (let index = 0; index < count; index++) {
      const key = keys[source[index] ?? -1];
      if (key === undefined) throw new Error(`reading ${index} has no meter after its check`);
      rows.add(key, lastCell[index] ?? 0, cellCount[index] ?? 0, powerKw[index] ?? 0);
    }
  }
  return rows.sorted();
};

/** A statement may touch a row once, so the second stretch of an hour goes into a second pass, and so on. */
const passesOf = (rows: readonly HourRow[]): HourStretch[][] => {
  const passes: HourStretch[][] = [];
  for (const row of rows) {
    for (const [index, run] of runsOf(row.cells).entries()) {
      const pass = (passes[index] ??= []);
      pass.push({ row, run });
    }
  }
  return passes;
};

const findOid = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ oid: number }>("select 'telemetry_hour'::regtype::oid as oid");
  if (rows[0] === undefined) throw new Error("the type telemetry_hour is missing; run the migrations");
  return rows[0].oid;
};

// Rows come sorted by key: unsorted, concurrent uploads deadlock. A stretch that is there already is left alone,
// so that a retry leaves no dead row behind.
const upsert = async (db: Queryable, stretches: readonly HourStretch[], oid: number): Promise<void> => {
  await db.query({
    name: "upsert-telemetry",
    text: `insert into telemetry_hours as stored (site, meter, hour, kw)
           select site, meter, hour, kw from unnest($1::telemetry_hour[])
           on conflict (site, meter, hour) do update
           set kw[array_lower(excluded.kw, 1):array_upper(excluded.kw, 1)] = excluded.kw
           where stored.kw[array_lower(excluded.kw, 1):array_upper(excluded.kw, 1)]
             is distinct from excluded.kw[array_lower(excluded.kw, 1):array_upper(excluded.kw, 1)]`,
    values: [encodeStretches(stretches, oid)],
  });
};
