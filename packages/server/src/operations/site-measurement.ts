import {
  type Baseline,
  type BaselineMethod,
  CELL_SECONDS,
  type CellRange,
  cellEndMs,
  cellsOf,
  cellsTouching,
  hourOf,
  inputsOf,
  measuredEndMs,
  type Period,
} from "@curtail/measure";
import { DAY_MS } from "../domain/period.js";
import { methodOf } from "./baseline-method.js";
import type {
  DispatchToMeasure,
  KnownRow,
  MeasurementReader,
  OtherEvent,
  ReadRow,
  SiteToMeasure,
} from "./measurement-ports.js";
import { readBaseline } from "./site-baseline.js";
import { LiveLoad } from "./site-load.js";
import { resultOf, type SiteResult } from "./site-result.js";

/** Curves begin an hour before the start, and end an hour after the end: the rebound. */
const AROUND_MS = 3_600_000;
/** A meter that sent nothing for a week before the start is no part of its site's load. */
const REPORTING_HOURS = 7 * 24;

/** Period of a dispatch's curves. That of an open-ended one grows by whole days. */
export const curvePeriod = (dispatch: DispatchToMeasure, nowMs: number): Period => {
  const { startMs } = dispatch;
  const days = Math.floor(Math.max(0, nowMs + AROUND_MS - startMs) / DAY_MS) + 1;
  const endMs = measuredEndMs(dispatch) ?? startMs + days * DAY_MS;
  return { startMs: startMs - AROUND_MS, endMs: endMs + AROUND_MS };
};

/** A site of a dispatch, read from storage and kept up to date with the rows that change. */
export class SiteMeasurement {
  private isStale = false;

  private constructor(
    private readonly reader: MeasurementReader,
    private readonly dispatch: DispatchToMeasure,
    readonly site: SiteToMeasure,
    private readonly parts: {
      readonly method: BaselineMethod;
      readonly events: readonly OtherEvent[];
      readonly curve: Period;
      readonly load: LiveLoad;
    },
    private baseline: Baseline,
  ) {}

  static async read(
    reader: MeasurementReader,
    { dispatch, site, events }: SiteTask,
    nowMs: number,
  ): Promise<SiteMeasurement> {
    const curve = curvePeriod(dispatch, nowMs);
    const range = cellsTouching(curve, CELL_SECONDS);
    const load = await readLoad(reader, dispatch, site, range);
    const parts = { method: methodOf(site.baseline ?? dispatch.baseline), events, curve, load };
    const baseline = await readBaseline(reader, taskOf(dispatch, site, parts));
    return new SiteMeasurement(reader, dispatch, site, parts, baseline);
  }

  /** Takes rows that were written; answers whether anything changed. */
  take(rows: readonly ReadRow[]): boolean {
    const reported = this.parts.load.reportingNow();
    const changed = this.parts.load.take(rows);
    const inputs = inputsOf(this.parts.method, this.dispatch);
    const meetsInputs = changed !== null && inputs !== null && cellEndMs(changed) <= inputs.toMs;
    this.isStale ||= meetsInputs || reported.size !== this.parts.load.reportingNow().size;
    return changed !== null;
  }

  /** Computes the baseline again where something that it is computed from has changed. */
  async refresh(): Promise<void> {
    if (!this.isStale) return;
    this.isStale = false;
    this.baseline = await readBaseline(this.reader, taskOf(this.dispatch, this.site, this.parts));
  }

  /** The rows in which readings of these hours are, as far as they belong to the curves. */
  known(hours: readonly number[]): KnownRow[] {
    const { first, last } = cellsTouching(this.parts.curve, CELL_SECONDS);
    return this.parts.load.known(hours.filter((hour) => hour >= hourOf(first) && hour <= hourOf(last)));
  }

  result(nowMs: number): SiteResult {
    const { method, curve, load } = this.parts;
    return resultOf(this.dispatch, this.site, { method, curve, baseline: this.baseline, load: load.series }, nowMs);
  }

  /** Whether every cell from the start to the end of the rebound hour is there, and the baseline needs no more. */
  isWhole(): boolean {
    const { startMs } = this.dispatch;
    const range = cellsOf({ startMs, endMs: this.parts.curve.endMs }, CELL_SECONDS);
    return !this.baseline.provisional && this.parts.load.isWhole(range);
  }
}

export interface SiteTask {
  readonly dispatch: DispatchToMeasure;
  readonly site: SiteToMeasure;
  readonly events: readonly OtherEvent[];
}

const readLoad = async (
  reader: MeasurementReader,
  dispatch: DispatchToMeasure,
  { meters }: SiteToMeasure,
  range: CellRange,
): Promise<LiveLoad> => {
  const startCell = cellsOf({ startMs: dispatch.startMs, endMs: dispatch.startMs }, CELL_SECONDS).first;
  const startHour = hourOf(startCell);
  const reporting = await reader.reporting(meters, startHour - REPORTING_HOURS, startHour);
  const load = new LiveLoad(meters, reporting, { range, startCell });
  load.take(await reader.rows(meters, hourOf(range.first), hourOf(range.last)));
  return load;
};

const taskOf = (
  dispatch: DispatchToMeasure,
  { meters }: SiteToMeasure,
  {
    method,
    events,
    curve,
    load,
  }: { method: BaselineMethod; events: readonly OtherEvent[]; curve: Period; load: LiveLoad },
) => ({ dispatch, method, events, meters, curve, reporting: load.reportingNow() });
