import {
  CELL_SECONDS,
  CELLS_PER_HOUR,
  type CellRange,
  firstCellOfHour,
  flatSeries,
  type HourRow,
  hourOf,
  type LoadSeries,
  type MeterKey,
  siteLoad,
  valueAt,
} from "@curtail/measure";

import type { KnownRow, ReadRow } from "./measurement-ports.js";

/** Meters whose readings make up a site's load. */
export type Reporting = ReadonlySet<number>;

/** Load of a site from hour rows: a cell counts where every reporting meter has it. */
export const loadFrom = (rows: readonly HourRow[], reporting: Reporting, range: CellRange): LoadSeries => {
  const meters = new Map([...reporting].map((meter) => [meter, flatSeries(Number.NaN, range, CELL_SECONDS)]));
  for (const row of rows) {
    const series = meters.get(row.meter);
    if (series !== undefined) layOnto(series, row);
  }
  const all = [...meters.values()];
  const [only] = all;
  // Most sites have one meter, and a look-back has fifty thousand cells.
  if (only !== undefined && all.length === 1) return only;
  // A meter that reports, but not in this stretch, makes all of it a gap.
  return all.some(isEmpty) ? flatSeries(Number.NaN, range, CELL_SECONDS) : siteLoad(all, range, CELL_SECONDS);
};

const isEmpty = ({ values }: LoadSeries): boolean => values.every((kw) => Number.isNaN(kw));

const layOnto = (series: LoadSeries, row: HourRow): void => {
  const offset = firstCellOfHour(row.hour) - series.firstCell;
  const from = Math.max(0, -offset);
  const to = Math.min(CELLS_PER_HOUR, series.values.length - offset);
  if (from < to) series.values.set(row.cells.subarray(from, to), offset + from);
};

const longestInterval = (rows: readonly ReadRow[], reporting: Reporting): number => {
  const newest = new Map<number, ReadRow>();
  for (const row of rows) if (row.hour >= (newest.get(row.meter)?.hour ?? row.hour)) newest.set(row.meter, row);
  const intervals = [...newest.values()].filter(({ meter }) => reporting.has(meter));
  return Math.max(CELL_SECONDS, ...intervals.map(({ readingSeconds }) => readingSeconds ?? CELL_SECONDS));
};

/** The load of a site around a dispatch, as its rows come in. */
export class LiveLoad {
  series: LoadSeries;
  /** Longest interval of the reporting meters' readings, by their newest rows. */
  readingSeconds = CELL_SECONDS;
  private readonly rows = new Map<string, ReadRow>();
  private reporting: Reporting;

  constructor(
    readonly meters: readonly MeterKey[],
    private readonly reportingBefore: Reporting,
    private readonly terms: { readonly range: CellRange; readonly startCell: number },
  ) {
    this.reporting = reportingBefore;
    this.series = flatSeries(Number.NaN, terms.range, CELL_SECONDS);
  }

  /** Takes rows, new or rewritten; answers the earliest cell that changed, null if none did. */
  take(rows: readonly ReadRow[]): number | null {
    const before = this.series;
    for (const row of rows) this.rows.set(`${row.meter} ${row.hour}`, row);
    this.reporting = this.reportingNow();
    this.readingSeconds = longestInterval([...this.rows.values()], this.reporting);
    this.series = loadFrom([...this.rows.values()], this.reporting, this.terms.range);
    const index = this.series.values.findIndex((kw, at) => !Object.is(kw, before.values[at]));
    return index < 0 ? null : this.terms.range.first + index;
  }

  /** Whether a row has other cells than when it was read last. */
  differs({ meter, hour, cells }: ReadRow): boolean {
    const known = this.rows.get(`${meter} ${hour}`)?.cells;
    return known === undefined || cells.some((kw, place) => !Object.is(kw, known[place]));
  }

  /** The rows of some hours as they were read last. */
  known(hours: readonly number[]): KnownRow[] {
    return this.meters.flatMap(({ site, meter }) =>
      hours.map((hour) => ({ site, meter, hour, rowVersion: this.rows.get(`${meter} ${hour}`)?.rowVersion ?? null })),
    );
  }

  /** Those that reported before the dispatch; where none did, those that report during it. */
  reportingNow(): Reporting {
    const all = [...this.rows.values()];
    const startHour = hourOf(this.terms.startCell);
    const early = all.filter(({ hour }) => hour <= startHour);
    const before = new Set([...this.reportingBefore, ...early.map(({ meter }) => meter)]);
    return before.size > 0 ? before : new Set(all.map(({ meter }) => meter));
  }

  isWhole({ first, last }: CellRange): boolean {
    for (let cell = first; cell <= last; cell++) if (Number.isNaN(valueAt(this.series, cell))) return false;
    return true;
  }
}
