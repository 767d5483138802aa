import {
  CELL_SECONDS,
  CELLS_PER_HOUR,
  type CellSeries,
  coarsen,
  firstCellOfHour,
  type HourRow,
  hourOf,
  type MeterKey,
} from "@curtail/measure";
import type { Caller } from "../../access/operations/caller.js";
import { grouped } from "../../platform/grouped.js";
import { invalid, isRefusal, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import {
  checkWindow,
  MAX_POINTS_PER_SITE,
  MAX_READ_SITES,
  type TelemetryWindow,
  tooManyPoints,
} from "../domain/telemetry-window.js";

export interface ReadableMeter {
  readonly id: string;
  readonly key: MeterKey;
}

export interface TelemetryReader {
  /** The meters of those of `siteIds` that belong to the account, by site id. */
  metersOf(accountId: string, siteIds: readonly string[]): Promise<ReadonlyMap<string, readonly ReadableMeter[]>>;
  /** Hour rows of the meters, hours `from` to `to` inclusive, in any order. */
  rows(meters: readonly MeterKey[], from: number, to: number): Promise<readonly HourRow[]>;
}

/** A site in an answer, with those of its meters that have points. */
export interface AnsweredSite {
  readonly siteId: string;
  readonly meterIds: readonly string[];
}

/** Received points of a meter; a label is the end of its interval, in Unix seconds. */
export interface MeterPoints {
  /** Indexes of site and meter in the answer. */
  readonly site: number;
  readonly meter: number;
  readonly labels: readonly number[];
  readonly values: readonly number[];
}

/** The answer to a read. */
export interface TelemetryAnswer {
  readonly sites: readonly AnsweredSite[];
  /** Upper bound of its number of points. */
  readonly mostPoints: number;
  /** In the order of sites, meters and time, read from the database on demand; some meters may have none. */
  readonly pieces: AsyncIterable<MeterPoints>;
}

interface AskedSite {
  readonly siteId: string;
  readonly meters: readonly ReadableMeter[];
}

/** Points of the sites, in the order requested (G24, G25). */
export const readTelemetry = async (
  reader: TelemetryReader,
  caller: Caller,
  siteIds: readonly string[],
  asked: TelemetryWindow,
): Promise<Result<TelemetryAnswer>> => {
  const distinct = [...new Set(siteIds)];
  if (distinct.length > MAX_READ_SITES) {
    return invalid(
      `the request names ${distinct.length} sites; the maximum is ${MAX_READ_SITES} per request. Split it.`,
    );
  }
  const found = await reader.metersOf(caller.accountId, distinct);
  if (distinct.some((id) => !found.has(id))) return notFound("site");
  const window = checkWindow(asked);
  if (isRefusal(window)) return window;
  const sites = distinct.map((siteId) => ({ siteId, meters: found.get(siteId) ?? [] }));
  const refusal = await refuseSites(reader, sites, window);
  if (refusal !== null) return refusal;
  const meters = sites.reduce((sum, site) => sum + site.meters.length, 0);
  return {
    sites: sites.map((site) => ({ siteId: site.siteId, meterIds: site.meters.map(({ id }) => id) })),
    mostPoints: meters * Math.min(labelsIn(window), MAX_POINTS_PER_SITE),
    pieces: piecesOf(reader, sites, window),
  };
};

/** Limits of the hour rows held at once and of a meter's points: a megabyte, and a few milliseconds of work. */
const ROWS_AT_ONCE = 400;
const POINTS_AT_ONCE = 10_080;

/** Counts the points per site if the window may have too many: a refusal must come before the answer begins. */
const refuseSites = async (
  reader: TelemetryReader,
  sites: readonly AskedSite[],
  window: TelemetryWindow,
): Promise<Refusal | null> => {
  if (labelsIn(window) <= MAX_POINTS_PER_SITE) return null;
  for (const { siteId, meters } of sites) {
    if (meters.length === 0) continue;
    let points = 0;
    for (const stretch of stretchesOf(window, ROWS_AT_ONCE / meters.length)) {
      points += countPoints(await rowsOf(reader, meters, stretch), stretch);
      if (points > MAX_POINTS_PER_SITE) return tooManyPoints(siteId, window.intervalSeconds);
    }
  }
  return null;
};

async function* piecesOf(
  reader: TelemetryReader,
  sites: readonly AskedSite[],
  window: TelemetryWindow,
): AsyncGenerator<MeterPoints> {
  const all = sites.flatMap(({ meters }, site) => meters.map(({ key }, meter) => ({ site, meter, key })));
  const stretches = [...stretchesOf(window, ROWS_AT_ONCE)];
  const hours = stretches.reduce((sum, { firstCell, lastCell }) => sum + hourOf(lastCell) - hourOf(firstCell) + 1, 0);
  const atOnce = stretches.length > 1 ? 1 : Math.max(1, Math.floor(ROWS_AT_ONCE / Math.max(1, hours)));
  for (let from = 0; from < all.length; from += atOnce) {
    const meters = all.slice(from, from + atOnce);
    for (const stretch of stretches) {
      const byMeter = await rowsOf(reader, meters, stretch);
      for (const { site, meter, key } of meters)
        yield { site, meter, ...pointsOf(byMeter.get(key.meter) ?? [], stretch) };
    }
  }
}

const rowsOf = async (
  reader: TelemetryReader,
  meters: ReadonlyArray<Pick<ReadableMeter, "key">>,
  { firstCell, lastCell }: Stretch,
): Promise<ReadonlyMap<number, HourRow[]>> => {
  const keys = meters.map(({ key }) => key);
  return grouped(await reader.rows(keys, hourOf(firstCell), hourOf(lastCell)), ({ meter }) => meter);
};

interface Stretch {
  readonly factor: number;
  readonly firstCell: number;
  readonly lastCell: number;
}

/** Intervals of a window whose labels are in (start, end]. */
const groupsOf = ({ startMs, endMs, intervalSeconds }: TelemetryWindow) => ({
  first: Math.floor(startMs / 1000 / intervalSeconds) + 1,
  last: Math.floor(endMs / 1000 / intervalSeconds),
});

const labelsIn = (window: TelemetryWindow): number => {
  const { first, last } = groupsOf(window);
  return Math.max(0, last - first + 1);
};

/** The coarsest interval. */
const WHOLE_HOURS = 6;

/** Cuts the window into pieces of whole intervals, of at most `mostHours` or of the coarsest interval. */
function* stretchesOf(window: TelemetryWindow, mostHours: number): Generator<Stretch> {
  const factor = window.intervalSeconds / CELL_SECONDS;
  const hours = Math.max(WHOLE_HOURS, Math.floor(mostHours / WHOLE_HOURS) * WHOLE_HOURS);
  const groups = Math.min(POINTS_AT_ONCE, (hours * CELLS_PER_HOUR) / factor);
  const { first, last } = groupsOf(window);
  for (let from = first; from <= last; from += groups) {
    const to = Math.min(from + groups - 1, last);
    yield { factor, firstCell: (from - 1) * factor + 1, lastCell: to * factor };
  }
}

/** Number of distinct labels of all meters. */
const countPoints = (byMeter: ReadonlyMap<number, readonly HourRow[]>, stretch: Stretch): number => {
  const seen = new Uint8Array((stretch.lastCell - stretch.firstCell + 1) / stretch.factor);
  for (const rows of byMeter.values()) {
    const { values } = seriesOf(rows, stretch);
    for (let at = 0; at < values.length; at++) if (!Number.isNaN(values[at])) seen[at] = 1;
  }
  return seen.reduce((sum, mark) => sum + mark, 0);
};

const pointsOf = (rows: readonly HourRow[], stretch: Stretch): Pick<MeterPoints, "labels" | "values"> => {
  const [labels, values]: [number[], number[]] = [[], []];
  if (rows.length === 0) return { labels, values };
  const series = seriesOf(rows, stretch);
  // By index: an iterator over 10,000 points costs as much as the rest of the loop.
  for (let offset = 0; offset < series.values.length; offset++) {
    const value = series.values[offset] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    labels.push((series.firstCell + offset) * stretch.factor * CELL_SECONDS);
    values.push(value);
  }
  return { labels, values };
};

const seriesOf = (rows: readonly HourRow[], { factor, firstCell, lastCell }: Stretch): CellSeries => {
  const cells = { firstCell, values: stitch(rows, firstCell, lastCell) };
  return factor === 1 ? cells : withoutNoise(coarsen(cells, factor), cells, factor);
};

/** Means are rounded. One of a single value is that value: a reading of the interval is answered as it was sent. */
const withoutNoise = (means: CellSeries, cells: CellSeries, factor: number): CellSeries => {
  const { firstCell, values } = means;
  for (let index = 0; index < values.length; index++) {
    const from = (firstCell + index - 1) * factor + 1 - cells.firstCell;
    values[index] = onlyValue(cells.values, from, from + factor) ?? rounded(values[index] ?? Number.NaN);
  }
  return means;
};

/** The value of all filled cells; null if they differ or are too few for a mean. */
const onlyValue = (values: Float64Array, from: number, to: number): number | null => {
  const first = values[from] ?? Number.NaN;
  for (let at = from + 1; at < to; at++) if (values[at] !== first) return null;
  return Number.isNaN(first) ? null : first;
};

/** Joins hour rows into one array; NaN where there is no row. */
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
