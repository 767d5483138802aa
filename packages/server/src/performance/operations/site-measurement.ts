import {
  type Baseline,
  type BaselineMethod,
  CELL_SECONDS,
  type CellRange,
  cellEndMs,
  cellsOf,
  cellsTouching,
  hourOf,
  type LoadSeries,
  lastCellOf,
  measuredEndMs,
  type Period,
} from "@curtail/measure";
import { DAY_MS } from "../../platform/period.js";
import { LiveLoad } from "./live-load.js";
import type {
  DispatchToMeasure,
  KnownRow,
  ReadingRows,
  ReadRow,
  SiteHistory,
  SiteToMeasure,
} from "./measurement-ports.js";
import { type CountedBaseline, type LookbackExtent, readBaseline } from "./site-baseline.js";
import { metersOf, readReporting } from "./site-meters.js";
import { inputsFor, siteMethod } from "./site-method.js";
import { resultOf } from "./site-result.js";
import type { SiteNumbers, SiteResult } from "./site-summary.js";

/** Curves extend from an hour before the start to an hour after the end: the rebound. */
const AROUND_MS = 3_600_000;
/** A meter that sent nothing for a week before the start does not count towards its site's load. */
const REPORTING_HOURS = 7 * 24;

/** Period of a dispatch's curves; with an open end it grows by whole days. */
export const curvePeriod = (dispatch: DispatchToMeasure, nowMs: number): Period => {
  const { startMs } = dispatch;
  const days = Math.floor(Math.max(0, nowMs + AROUND_MS - startMs) / DAY_MS) + 1;
  const endMs = measuredEndMs(dispatch) ?? startMs + days * DAY_MS;
  return { startMs: startMs - AROUND_MS, endMs: endMs + AROUND_MS };
};

/** From when on readings of a site affect its result, in Unix milliseconds. */
export const neededFromMs = (dispatch: DispatchToMeasure, site: SiteToMeasure): number => {
  const inputs = inputsFor(siteMethod(dispatch, site), dispatch);
  return Math.min(inputs?.fromMs ?? dispatch.startMs, dispatch.startMs - REPORTING_HOURS * 3_600_000);
};

interface MeasurementParts {
  readonly method: BaselineMethod;
  readonly history: SiteHistory;
  readonly curve: Period;
  readonly load: LiveLoad;
  readonly extent: LookbackExtent;
}

/** A site of a dispatch, read from storage and updated with rows that change. */
export class SiteMeasurement {
  private isStale = false;
  private reads = 0;
  private readonly inputsToMs: number;
  private readonly curveHours: CellRange;

  private constructor(
    private readonly reader: ReadingRows,
    private readonly dispatch: DispatchToMeasure,
    readonly site: SiteToMeasure,
    private readonly parts: MeasurementParts,
    private found: CountedBaseline,
  ) {
    const { first, last } = cellsTouching(parts.curve, CELL_SECONDS);
    this.curveHours = { first: hourOf(first), last: hourOf(last) };
    this.inputsToMs = inputsFor(parts.method, dispatch)?.toMs ?? 0;
  }

  static async read(
    reader: ReadingRows,
    { dispatch, site, history }: SiteTask,
    nowMs: number,
    extent: LookbackExtent = "whole",
  ): Promise<SiteMeasurement> {
    const curve = curvePeriod(dispatch, nowMs);
    const range = cellsTouching(curve, CELL_SECONDS);
    const load = await readLoad(reader, { dispatch, site, range }, nowMs);
    const parts = { method: siteMethod(dispatch, site), history, curve, load, extent };
    const found = await readBaseline(reader, taskOf(dispatch, site, parts), extent);
    load.count(found.counted);
    return new SiteMeasurement(reader, dispatch, site, parts, found);
  }

  /** Applies rows that were written; returns whether the load around the dispatch changed. */
  take(rows: readonly ReadRow[]): boolean {
    const { load } = this.parts;
    const reported = load.reportingNow().size;
    const isInputBefore = rows.some((row) => !this.isInCurve(row.hour) && load.changedCell(row) !== null);
    // A meter that is left out may be old enough by an earlier reading.
    const leftOut = rows.some((row) => !load.counts(row.meter) && this.isInput(load.changedCell(row)));
    const changed = load.take(rows);
    this.isStale ||= isInputBefore || leftOut || this.isInput(changed) || reported !== load.reportingNow().size;
    return changed !== null;
  }

  private isInput(cell: number | null): boolean {
    return cell !== null && cellEndMs(cell) <= this.inputsToMs;
  }

  /** Whether an input of the baseline changed. */
  get needsRefresh(): boolean {
    return this.isStale;
  }

  /** The baseline, and the load of the meters that it was computed from, on 30 s cells. */
  get compared(): { readonly baseline: Baseline; readonly load: LoadSeries } {
    return { baseline: this.found.baseline, load: this.parts.load.series };
  }

  /** Recomputes the baseline. */
  async refresh(): Promise<void> {
    await this.readAgain(this.reader, this.parts.extent);
    this.isStale = false;
  }

  get isExplained(): boolean {
    return this.found.isWhole;
  }

  /** Reads the whole days that explain the baseline; nothing else changes by it, unless it `needsRefresh`. */
  async explain(reader: ReadingRows = this.reader): Promise<void> {
    if (!this.found.isWhole) await this.readAgain(reader, "whole");
  }

  private async readAgain(reader: ReadingRows, extent: LookbackExtent): Promise<void> {
    this.reads += 1;
    const nth = this.reads;
    const found = await readBaseline(reader, taskOf(this.dispatch, this.site, this.parts), extent);
    // The findings of a later read are newer.
    if (nth !== this.reads) return;
    this.found = found;
    this.parts.load.count(found.counted);
  }

  /** The rows of those hours that the curves or the baseline use. */
  known(hours: readonly number[]): KnownRow[] {
    const lastInput = hourOf(lastCellOf(this.inputsToMs));
    return this.parts.load.known(hours.filter((hour) => this.isInCurve(hour) || hour <= lastInput));
  }

  /** Throws where only the hours were read that its numbers need. */
  explained(nowMs: number): SiteResult {
    if (!this.found.isWhole) throw new Error(`site ${this.site.id} was measured without what explains its baseline`);
    return this.resultOf(nowMs);
  }

  result(nowMs: number): SiteNumbers {
    if (this.found.isWhole) return this.resultOf(nowMs);
    const { explanation: _ofUsedHours, ...numbers } = this.resultOf(nowMs);
    return numbers;
  }

  private resultOf(nowMs: number): SiteResult {
    const { method, curve, load } = this.parts;
    const { series, readingSeconds } = load;
    const meters = metersOf(this.site, this.found.counted, load.reportingNow());
    const measured = { method, curve, baseline: this.found.baseline, load: series, readingSeconds, meters };
    return resultOf(this.dispatch, this.site, measured, nowMs);
  }

  /** Whether every cell from the start to the end of the rebound hour has arrived, and the baseline is complete. */
  isWhole(): boolean {
    const { startMs } = this.dispatch;
    const range = cellsOf({ startMs, endMs: this.parts.curve.endMs }, CELL_SECONDS);
    return !this.found.baseline.provisional && this.parts.load.isWhole(range);
  }

  private isInCurve(hour: number): boolean {
    return hour >= this.curveHours.first && hour <= this.curveHours.last;
  }
}

export interface SiteTask {
  readonly dispatch: DispatchToMeasure;
  readonly site: SiteToMeasure;
  readonly history: SiteHistory;
}

const readLoad = async (
  reader: ReadingRows,
  { dispatch, site, range }: Omit<SiteTask, "history"> & { readonly range: CellRange },
  nowMs: number,
): Promise<LiveLoad> => {
  const { meters } = site;
  const { startMs } = dispatch;
  const load = new LiveLoad(meters, await readReporting(reader, meters, startMs), { range, startMs });
  // Includes the previous hour, which is checked for changes even if the curves begin later.
  const first = Math.min(hourOf(range.first), hourOf(lastCellOf(nowMs)) - 1);
  load.take(await reader.rows({ meters, periods: [{ from: first, to: hourOf(range.last) }] }));
  return load;
};

const taskOf = (
  dispatch: DispatchToMeasure,
  { meters }: SiteToMeasure,
  { method, history, curve, load }: MeasurementParts,
) => ({ dispatch, method, history, meters, curve, reporting: load.reportingNow() });
