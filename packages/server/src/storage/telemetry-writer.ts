import { type HourRow, hourRows, runsOf } from "@curtail/measure";
import type pg from "pg";
import type { GridReadings, TelemetryArchive } from "../operations/record-telemetry.js";
import { inTransaction, type Queryable } from "./database.js";
import { encodeStretches, type HourStretch } from "./telemetry-encoding.js";

interface Upload {
  readonly readings: GridReadings;
  readonly meters: ReadonlySet<number>;
  /** Gives up waiting for its turn. */
  readonly impatience: NodeJS.Timeout;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

// Two transactions keep the database busy while one commits; more only wait for the same cores and log.
const LANES = 2;
// Beyond that a longer transaction gains little and delays those who wait for it.
const MAX_READINGS = 50_000;
// While no connection is to be had, those who wait behind the first are not to wait for one after the other.
const MAX_WAIT_MS = 4000;

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
      const meters = new Set(readings.keys.map((key) => key.meter));
      const upload: Upload = {
        readings,
        meters,
        impatience: setTimeout(() => this.giveUp(upload), MAX_WAIT_MS),
        resolve,
        reject,
      };
      this.waiting.push(upload);
      this.fillLanes();
    });
  }

  /** An upload that was not begun is not half done: it can be refused. */
  private giveUp(upload: Upload): void {
    this.waiting = this.waiting.filter((each) => each !== upload);
    upload.reject(new Error(`the upload waited ${MAX_WAIT_MS} ms for its turn to be written`));
  }

  private fillLanes(): void {
    while (this.lanesInUse < LANES) {
      const batch = this.takeBatch();
      if (batch.length === 0) return;
      this.lanesInUse += 1;
      void this.run(batch);
    }
  }

  /** The oldest uploads whose meters nobody is writing, as far as they fit; none overtakes an older one of its meters. */
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
    for (const upload of batch) {
      clearTimeout(upload.impatience);
      for (const meter of upload.meters) this.busyMeters.add(meter);
    }
    return batch;
  }

  private async run(batch: readonly Upload[]): Promise<void> {
    try {
      await this.store(rowsOf(batch));
      for (const upload of batch) upload.resolve();
    } catch (error) {
      for (const upload of batch) upload.reject(error);
    }
    for (const upload of batch) for (const meter of upload.meters) this.busyMeters.delete(meter);
    this.lanesInUse -= 1;
    this.fillLanes();
  }

  private async store(rows: readonly HourRow[]): Promise<void> {
    const oid = await this.oid();
    const passes = passesOf(rows);
    // A single statement commits by itself, one round trip instead of three.
    if (passes.length === 1 && passes[0] !== undefined) return upsert(this.pool, passes[0], oid);
    await inTransaction(this.pool, async (client) => {
      for (const pass of passes) await upsert(client, pass, oid);
    });
  }

  private oid(): Promise<number> {
    this.compositeOid ??= findOid(this.pool).catch((error: unknown) => {
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
