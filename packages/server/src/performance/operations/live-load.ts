import {
  CELL_SECONDS,
  type CellRange,
  firstCellOfHour,
  flatSeries,
  hasReadingIn,
  type LoadSeries,
  type MeterKey,
  reportingCells,
  valueAt,
} from "@curtail/measure";
import { loadFrom, type Reporting } from "../../telemetry/operations/site-load.js";
import type { KnownRow, ReadRow } from "./measurement-ports.js";

const longestInterval = (rows: readonly ReadRow[], reporting: Reporting): number => {
  const newest = new Map<number, ReadRow>();
  for (const row of rows) if (row.hour >= (newest.get(row.meter)?.hour ?? row.hour)) newest.set(row.meter, row);
  const intervals = [...newest.values()].filter(({ meter }) => reporting.has(meter));
  return Math.max(CELL_SECONDS, ...intervals.map(({ readingSeconds }) => readingSeconds ?? CELL_SECONDS));
};

/** The load of a site around a dispatch, updated as rows arrive. */
export class LiveLoad {
  series: LoadSeries;
  /** Longest interval of the counted meters' readings, by their newest rows. */
  readingSeconds = CELL_SECONDS;
  private readonly rows = new Map<string, ReadRow>();
  private readonly week: CellRange;
  private counted: Reporting;

  constructor(
    readonly meters: readonly MeterKey[],
    private readonly reportingBefore: Reporting,
    private readonly terms: { readonly range: CellRange; readonly startMs: number },
  ) {
    this.counted = reportingBefore;
    this.week = reportingCells(terms.startMs);
    this.series = flatSeries(Number.NaN, terms.range, CELL_SECONDS);
  }

  /** The meters whose sum is the load: those that the baseline was computed from, too. */
  count(meters: Reporting): void {
    if (meters.size === this.counted.size && [...meters].every((meter) => this.counted.has(meter))) return;
    this.counted = meters;
    this.sum();
  }

  /** Applies new or rewritten rows; returns the earliest changed cell, or null. */
  take(rows: readonly ReadRow[]): number | null {
    const before = this.series;
    for (const row of rows) this.rows.set(`${row.meter} ${row.hour}`, row);
    this.sum();
    const index = this.series.values.findIndex((kw, at) => !Object.is(kw, before.values[at]));
    return index < 0 ? null : this.terms.range.first + index;
  }

  /** The earliest cell of a row that differs from the last read; null: none does. */
  changedCell({ meter, hour, cells }: ReadRow): number | null {
    const known = this.rows.get(`${meter} ${hour}`)?.cells;
    const place = cells.findIndex((kw, at) => !Object.is(kw, known?.[at] ?? Number.NaN));
    return place < 0 ? null : firstCellOfHour(hour) + place;
  }

  /** Whether the load has this meter's readings: without them it changes by none. */
  counts(meter: number): boolean {
    return this.counted.has(meter);
  }

  /** The rows of some hours as last read. */
  known(hours: readonly number[]): KnownRow[] {
    return this.meters.flatMap(({ site, meter }) =>
      hours.map((hour) => ({ site, meter, hour, rowVersion: this.rows.get(`${meter} ${hour}`)?.rowVersion ?? null })),
    );
  }

  /** The meters that reported in the week before the dispatch or, if none did, those that report during it (M2). */
  reportingNow(): Reporting {
    const all = [...this.rows.values()];
    const early = all.filter((row) => firstCellOfHour(row.hour) <= this.week.last && this.isNewlyReporting(row));
    const before = new Set([...this.reportingBefore, ...early.map(({ meter }) => meter)]);
    return before.size > 0 ? before : new Set(all.map(({ meter }) => meter));
  }

  private isNewlyReporting(row: ReadRow): boolean {
    return !this.reportingBefore.has(row.meter) && hasReadingIn(row, this.week);
  }

  private sum(): void {
    const rows = [...this.rows.values()];
    this.readingSeconds = longestInterval(rows, this.counted);
    this.series = loadFrom(rows, this.counted, this.terms.range);
  }

  isWhole({ first, last }: CellRange): boolean {
    for (let cell = first; cell <= last; cell++) if (Number.isNaN(valueAt(this.series, cell))) return false;
    return true;
  }
}
