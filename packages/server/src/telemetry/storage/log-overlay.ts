import { CELLS_PER_HOUR, firstCellOfHour, hourOf, type MeterKey, placeInHour } from "@curtail/measure";
import { type Hours, isIn } from "../domain/hours.js";
import { type LoggedKind, seriesOf } from "./log-batch.js";
import type { LoggedReading, LoggedReadings } from "./logged-readings.js";

/** What a statement saw of transactions: `pg_current_snapshot()`. */
export interface Snapshot {
  readonly xmin: number;
  readonly xmax: number;
  /** Transactions between both that were under way. */
  readonly open: ReadonlySet<number>;
  /** The statement's own transaction. */
  readonly own?: number;
}

export const parseSnapshot = (text: string): Snapshot => {
  const [xmin = "", xmax = "", open = ""] = text.split(":");
  return {
    xmin: Number(xmin),
    xmax: Number(xmax),
    open: new Set(open === "" ? [] : open.split(",").map(Number)),
  };
};

/** As `pg_visible_in_snapshot` says. */
const isVisible = (xid: number, { xmin, xmax, open, own }: Snapshot): boolean =>
  xid < xmin || (xid < xmax && !open.has(xid)) || xid === own;

/** Cells of an hour that the log has, and what differs once others are. */
interface LoggedHour {
  readonly readings: readonly LoggedReading[];
  readonly mark: string;
}

const NONE: ReadonlyMap<number, LoggedHour> = new Map();

/** What the log adds to the hour rows of one statement: its readings that the statement saw, and saw not folded. */
export class LogOverlay {
  private readonly isWanted: (xid: number) => boolean;
  private recent: { readonly series: number; readonly readings: readonly LoggedReading[] } | null = null;

  constructor(
    private readonly logged: LoggedReadings,
    snapshot: Snapshot,
    foldedBelow: number,
  ) {
    this.isWanted = (xid) => xid >= foldedBelow && isVisible(xid, snapshot);
  }

  get isEmpty(): boolean {
    return this.logged.count === 0;
  }

  /** A meter's readings of a kind, in the order in which they count. */
  readings(meter: number, kind: LoggedKind = "power"): readonly LoggedReading[] {
    const series = seriesOf(kind, meter);
    // Hours of a meter are mostly asked for one after the other.
    if (this.recent?.series !== series) this.recent = { series, readings: this.logged.ofSeries(series, this.isWanted) };
    return this.recent.readings;
  }

  /** By hour, those with a cell in one of the periods. */
  hours(meter: number, periods: readonly Hours[], kind?: LoggedKind): ReadonlyMap<number, LoggedHour> {
    const all = this.readings(meter, kind);
    if (all.length === 0) return NONE;
    const byHour = new Map<number, LoggedReading[]>();
    for (const reading of all) {
      const last = hourOf(reading.lastCell);
      for (let hour = hourOf(reading.lastCell - reading.cellCount + 1); hour <= last; hour++) {
        if (!periods.some((period) => isIn(hour, period))) continue;
        const ofHour = byHour.get(hour);
        if (ofHour === undefined) byHour.set(hour, [reading]);
        else ofHour.push(reading);
      }
    }
    return new Map([...byHour].map(([hour, readings]) => [hour, { readings, mark: markOf(readings) }]));
  }
}

/** A transaction appends to an hour once, or at once: with another set of them, number or newest transaction differ. */
const markOf = (readings: readonly LoggedReading[]): string => `${readings.length}.${readings.at(-1)?.xid ?? 0}`;

/** Fills cells of the hour. */
export const layReadings = (cells: Float64Array, hour: number, readings: readonly LoggedReading[]): void => {
  const first = firstCellOfHour(hour);
  for (const { lastCell, cellCount, value } of readings) {
    const from = Math.max(lastCell - cellCount + 1, first);
    const to = Math.min(lastCell, first + CELLS_PER_HOUR - 1);
    for (let cell = from; cell <= to; cell++) cells[placeInHour(cell)] = value;
  }
};

/** Of meters that the log has readings of. */
export const newestLogged = (overlay: LogOverlay, { meter }: MeterKey, kind: LoggedKind): LoggedReading | undefined => {
  let newest: LoggedReading | undefined;
  for (const reading of overlay.readings(meter, kind))
    if (newest === undefined || reading.lastCell >= newest.lastCell) newest = reading;
  return newest;
};

/** The version of an hour of which the log has more than its row; the row's own if it has nothing. */
export const markedVersion = (row: string | null, mark: string | null): string =>
  mark === null ? (row ?? "") : `${row ?? ""}/${mark}`;

/** That of the row; null: there was none. */
export const rowVersionOf = (version: string | null): string | null => version?.split("/")[0] || null;

/** What the log had in addition; null: nothing. */
export const markOfVersion = (version: string | null): string | null => version?.split("/")[1] ?? null;
