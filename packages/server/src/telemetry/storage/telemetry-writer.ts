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

  /** A lane that is not writing yet takes all waiting uploads; another helps only beside one that is writing. */
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
    // A single statement needs no transaction: one round trip instead of three.
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

/** Readings of several uploads as one sorted set of rows; later ones replace earlier ones. */
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

/** A statement can update a row only once, so the second part of an hour goes into a second pass, and so on. */
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

// Rows are sorted by key: unsorted, concurrent uploads deadlock. Unchanged rows are skipped, so that a retry leaves no
// dead rows.
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
