import { CELLS_PER_HOUR, firstCellOfHour, hourOf } from "@curtail/measure";
import { type Hours, isIn } from "../domain/hours.js";
import { addTo, type HourMark, newMark } from "./hour-marks.js";
import { type LoggedKind, seriesOf } from "./log-batch.js";
import type { LoggedReading } from "./logged-page.js";
import type { LoggedReadings } from "./logged-readings.js";

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

/** What the log has of an hour; a cell without a reading is NaN. */
interface LoggedHour extends HourMark {
  readonly hour: number;
  /** Its first cell. */
  readonly first: number;
  readonly cells: Float64Array;
}

/** What the log adds to the hour rows of one statement: its readings that the statement saw, and saw not folded. */
export class LogOverlay {
  private readonly isWanted: (xid: number) => boolean;

  constructor(
    private readonly logged: LoggedReadings,
    private readonly snapshot: Snapshot,
    foldedBelow: number,
  ) {
    this.isWanted = (xid) => xid >= foldedBelow && isVisible(xid, snapshot);
  }

  get isEmpty(): boolean {
    return this.logged.count === 0;
  }

  /** A meter's readings of a kind, in the order in which they count. */
  readings(meter: number, kind: LoggedKind = "power"): readonly LoggedReading[] {
    return this.logged.ofSeries(seriesOf(kind, meter), this.isWanted);
  }

  /** A meter's reading of a kind whose last cell is the newest. */
  newest(meter: number, kind: LoggedKind = "power"): LoggedReading | undefined {
    return this.logged.newestOf(seriesOf(kind, meter), this.isWanted);
  }

  /** Hours with a cell in one of the periods. */
  hours(meter: number, periods: readonly Hours[], kind: LoggedKind = "power"): readonly LoggedHour[] {
    const fromCell = firstCellOfHour(Math.min(...periods.map(({ from }) => from)));
    const found: LoggedHour[] = [];
    // A reading is mostly of the same hour as the one before.
    let recent: LoggedHour | undefined;
    for (const place of this.logged.places(seriesOf(kind, meter), this.isWanted, fromCell)) {
      const reading = this.logged.at(place);
      if (recent !== undefined && isWithin(reading, recent.first)) lay(reading, recent);
      else recent = layInto(found, reading, periods) ?? recent;
    }
    return found;
  }

  /** What differs once others of the hour's powers are in the log; null: it has none. */
  mark(meter: number, hour: number): string | null {
    const { newestXid, byHour } = this.logged.marks.of(seriesOf("power", meter));
    // All that was heard of the meter is seen, too.
    if (newestXid < this.snapshot.xmin) return markOf(byHour.get(hour));
    return markOf(this.hours(meter, [{ from: hour, to: hour }])[0]);
  }
}

/** Whether all cells of a reading are in the hour with this first cell. */
const isWithin = ({ lastCell, cellCount }: LoggedReading, first: number): boolean =>
  lastCell - cellCount + 1 >= first && lastCell < first + CELLS_PER_HOUR;

/** Lays a reading into its hours that are in the periods; returns the last of them. */
const layInto = (found: LoggedHour[], reading: LoggedReading, periods: readonly Hours[]): LoggedHour | undefined => {
  let own: LoggedHour | undefined;
  const last = hourOf(reading.lastCell);
  for (let hour = hourOf(reading.lastCell - reading.cellCount + 1); hour <= last; hour++) {
    if (!periods.some((period) => isIn(hour, period))) continue;
    own = found.find((each) => each.hour === hour);
    if (own === undefined) {
      own = newHour(hour);
      found.push(own);
    }
    lay(reading, own);
  }
  return own;
};

const newHour = (hour: number): LoggedHour => ({
  hour,
  first: firstCellOfHour(hour),
  cells: new Float64Array(CELLS_PER_HOUR).fill(Number.NaN),
  ...newMark(),
});

const lay = ({ lastCell, cellCount, value, xid }: LoggedReading, to: LoggedHour): void => {
  const end = Math.min(lastCell - to.first, CELLS_PER_HOUR - 1);
  for (let place = Math.max(lastCell - cellCount + 1 - to.first, 0); place <= end; place++) to.cells[place] = value;
  addTo(to, xid);
};

/** Fills cells of the same hour. */
export const layOver = (cells: Float64Array, { cells: logged }: LoggedHour): void => {
  for (let place = 0; place < CELLS_PER_HOUR; place++) {
    const value = logged[place] ?? Number.NaN;
    if (value === value) cells[place] = value;
  }
};

/** What of an hour's version tells what the log has of it. */
export const markOf = (mark: HourMark | undefined): string | null =>
  mark === undefined ? null : `${mark.count}.${mark.newestXid}.${mark.sum}`;

/** The version of an hour of which the log has more than its row; the row's own if it has nothing. */
export const markedVersion = (row: string | null, mark: string | null): string =>
  mark === null ? (row ?? "") : `${row ?? ""}/${mark}`;

/** That of the row; null: there was none. */
export const rowVersionOf = (version: string | null): string | null => version?.split("/")[0] || null;

/** What the log had in addition; null: nothing. */
export const markOfVersion = (version: string | null): string | null => version?.split("/")[1] ?? null;
