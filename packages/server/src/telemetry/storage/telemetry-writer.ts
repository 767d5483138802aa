import type pg from "pg";
import type { Queryable } from "../../platform/database/database.js";
import { groupsByShard, isDistributed } from "../../platform/database/shards.js";
import { Slots } from "../../platform/slots.js";
import { type GridReadings, readingsOf } from "../operations/grid-readings.js";
import type { TelemetryArchive } from "../operations/record-telemetry.js";
import { LogLane } from "./log-lane.js";
import { UploadLanes, type UploadPart } from "./upload-lanes.js";
import { findHourType } from "./upsert-hours.js";

/** Of the connections of a pool: a worker that is away keeps two of them until it is found to be. */
const LANES_OF_ALL = 8;

/** A part of an upload, and the worker that has its shard. */
interface PlacedPart extends UploadPart {
  readonly node: number;
}

/**
 * Writes uploads, by the shard of their sites: what is for one shard is stored whole or not at all. An upload over several
 * shards is written when all of its parts are; if one fails, the others remain, and a retry leaves them as they are.
 */
export class TelemetryWriter implements TelemetryArchive {
  private readonly slots = new Slots(LANES_OF_ALL);
  private readonly lanes = new Map<number, UploadLanes>();
  private compositeOid: Promise<number> | undefined;
  /** Uploads are placed one after the other, so that those of a meter keep their order. */
  private placing: Promise<unknown> = Promise.resolve();

  private readonly log: LogLane;

  /** @param logs whether uploads of few readings for each meter are appended to the log */
  constructor(
    private readonly pool: pg.Pool,
    private readonly logs = false,
  ) {
    this.log = new LogLane(pool);
  }

  async write(readings: GridReadings, charges: GridReadings | null = null): Promise<void> {
    if (this.logs && isSparse(readings) && (charges === null || isSparse(charges)) && !(await isDistributed(this.pool)))
      return this.log.append(readings, charges);
    const placed = this.placing.then(async () => {
      const parts = await partsOf(this.pool, readings, charges);
      // Not awaited here: the next upload joins the batch of this one.
      return parts.map((part) => this.lanesOf(part).write(part));
    });
    this.placing = placed.catch(() => {});
    const outcomes = await Promise.allSettled(await placed);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  private lanesOf({ node }: PlacedPart): UploadLanes {
    const hourType = (db: Queryable) => this.oid(db);
    const lanes = this.lanes.get(node) ?? new UploadLanes({ pool: this.pool, slots: this.slots, hourType });
    this.lanes.set(node, lanes);
    return lanes;
  }

  private oid(db: Queryable): Promise<number> {
    this.compositeOid ??= findHourType(db).catch((error: unknown) => {
      this.compositeOid = undefined;
      throw error;
    });
    return this.compositeOid;
  }
}

/** Cells of a meter from which on a row of its hour is written as fast as a part of the log. */
const MANY_CELLS = 30;

/** Whether an upload has few readings for each meter, as those that are sent while they are measured. */
const isSparse = ({ count, keys, cellCount }: GridReadings): boolean => {
  let cells = 0;
  for (const each of cellCount.subarray(0, count)) cells += each;
  return cells < MANY_CELLS * keys.length;
};

const partsOf = async (
  pool: pg.Pool,
  readings: GridReadings,
  charges: GridReadings | null,
): Promise<readonly PlacedPart[]> => {
  const keys = charges === null ? readings.keys : [...readings.keys, ...charges.keys];
  const groups = await groupsByShard(pool, keys, Number.POSITIVE_INFINITY);
  const [only] = groups;
  if (groups.length === 1 && only !== undefined) return [{ readings, charges, ...placeOf(only) }];
  return groups
    .map((group) => {
      const sites = new Set(group.sites);
      const isOfShard = ({ site }: { readonly site: number }): boolean => sites.has(site);
      const ofShard = charges === null ? null : readingsOf(charges, isOfShard);
      return { readings: readingsOf(readings, isOfShard), charges: ofShard, ...placeOf(group) };
    })
    .filter((part) => part.readings.count + (part.charges?.count ?? 0) > 0);
};

const placeOf = ({ shard: { id, node } }: { readonly shard: { readonly id: number; readonly node: number } }) => ({
  shard: id,
  node,
});
