import { CELL_SECONDS, coarsen, firstCellOfHour, type HourRow, hourOf, type MeterKey } from "@curtail/measure";
import { invalid, isRefusal, notFound, type Refusal, type Result } from "../domain/refusal.js";
import {
  checkWindow,
  MAX_POINTS_PER_SITE,
  MAX_READ_SITES,
  type TelemetryWindow,
  tooManyPoints,
} from "../domain/telemetry-window.js";
import type { Caller } from "./ports.js";

export interface ReadableMeter {
  readonly id: string;
  readonly key: MeterKey;
}

export interface TelemetryReader {
  /** The meters of each of the account's sites among `siteIds`, by site id. */
  metersOf(accountId: string, siteIds: readonly string[]): Promise<ReadonlyMap<string, readonly ReadableMeter[]>>;
  /** Hour rows of the meters, hours `from` to `to` inclusive, in any order. */
  rows(meters: readonly MeterKey[], from: number, to: number): Promise<readonly HourRow[]>;
}

/** Newest grid cell of a meter. */
export interface LastReading {
  readonly at: Date;
  readonly powerKw: number;
}

/** The points of a meter that are there; a label is the end of its interval, in Unix seconds. */
export interface MeterPoints {
  readonly meterId: string;
  readonly labels: number[];
  readonly values: number[];
}

export interface SitePoints {
  readonly siteId: string;
  readonly meters: readonly MeterPoints[];
}

// 84 hours: what a request may hold at the finest interval, and a multiple of the coarsest (6 hours).
const CHUNK_CELLS = 84 * 120;

/** Points of the sites, in the order asked (G24, G25). Reads by stretches of time, so that a refusal costs little. */
export const readTelemetry = async (
  reader: TelemetryReader,
  caller: Caller,
  siteIds: readonly string[],
  asked: TelemetryWindow,
): Promise<Result<readonly SitePoints[]>> => {
  const distinct = [...new Set(siteIds)];
  if (distinct.length > MAX_READ_SITES) {
    return invalid(`${distinct.length} sites are asked; at most ${MAX_READ_SITES} in one request. Split it.`);
  }
  const meters = await reader.metersOf(caller.accountId, distinct);
  if (distinct.some((id) => !meters.has(id))) return notFound("site");
  const window = checkWindow(asked);
  if (isRefusal(window)) return window;
  const sites = distinct.map((id) => new SiteCollector(id, meters.get(id) ?? []));
  return (await collect(reader, sites, window)) ?? sites.map(({ siteId, points }) => ({ siteId, meters: points }));
};

const collect = async (
  reader: TelemetryReader,
  sites: readonly SiteCollector[],
  window: TelemetryWindow,
): Promise<Refusal | null> => {
  const keys = sites.flatMap((site) => site.meters.map((meter) => meter.key));
  for (const stretch of stretchesOf(window)) {
    const rows = await reader.rows(keys, hourOf(stretch.firstCell), hourOf(stretch.lastCell));
    const byMeter = groupByMeter(rows);
    for (const site of sites) {
      site.take(byMeter, stretch);
      if (site.distinctPoints > MAX_POINTS_PER_SITE) return tooManyPoints(site.siteId, window.intervalSeconds);
    }
  }
  return null;
};

const groupByMeter = (rows: readonly HourRow[]): Map<number, HourRow[]> => {
  const groups = new Map<number, HourRow[]>();
  for (const row of rows) {
    const group = groups.get(row.meter);
    if (group === undefined) groups.set(row.meter, [row]);
    else group.push(row);
  }
  return groups;
};

interface Stretch {
  readonly factor: number;
  readonly firstCell: number;
  readonly lastCell: number;
}

/** Cuts the window, whose labels are in (start, end], into stretches of whole intervals. */
function* stretchesOf({ startMs, endMs, intervalSeconds }: TelemetryWindow): Generator<Stretch> {
  const factor = intervalSeconds / CELL_SECONDS;
  const firstGroup = Math.floor(startMs / 1000 / intervalSeconds) + 1;
  const lastGroup = Math.floor(endMs / 1000 / intervalSeconds);
  const groups = CHUNK_CELLS / factor;
  for (let from = firstGroup; from <= lastGroup; from += groups) {
    const to = Math.min(from + groups - 1, lastGroup);
    yield { factor, firstCell: (from - 1) * factor + 1, lastCell: to * factor };
  }
}

/** Gathers one site's points and counts its distinct timestamps over all its meters. */
class SiteCollector {
  readonly points: readonly MeterPoints[];
  distinctPoints = 0;

  constructor(
    readonly siteId: string,
    readonly meters: readonly ReadableMeter[],
  ) {
    this.points = meters.map(({ id }) => ({ meterId: id, labels: [], values: [] }));
  }

  take(byMeter: ReadonlyMap<number, readonly HourRow[]>, { factor, firstCell, lastCell }: Stretch): void {
    const seen = new Uint8Array((lastCell - firstCell + 1) / factor);
    for (const [index, { key }] of this.meters.entries()) {
      const rows = byMeter.get(key.meter);
      const points = this.points[index];
      if (rows === undefined || points === undefined) continue;
      const series = coarsen({ firstCell, values: stitch(rows, firstCell, lastCell) }, factor);
      // By index: an iterator over 10,000 points costs as much as the rest of the loop.
      for (let offset = 0; offset < series.values.length; offset++) {
        const value = series.values[offset] ?? Number.NaN;
        if (Number.isNaN(value)) continue;
        points.labels.push((series.firstCell + offset) * factor * CELL_SECONDS);
        points.values.push(value);
        seen[offset] = 1;
      }
    }
    for (const mark of seen) this.distinctPoints += mark;
  }
}

/** Lays hour rows side by side; NaN where there is no row. */
const stitch = (rows: readonly HourRow[], firstCell: number, lastCell: number): Float64Array => {
  const values = new Float64Array(lastCell - firstCell + 1).fill(Number.NaN);
  for (const row of rows) {
    const offset = firstCellOfHour(row.hour) - firstCell;
    const from = Math.max(0, -offset);
    const to = Math.min(row.cells.length, values.length - offset);
    if (from < to) values.set(row.cells.subarray(from, to), offset + from);
  }
  return values;
};
