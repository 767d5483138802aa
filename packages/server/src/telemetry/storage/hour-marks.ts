import { hourOf } from "@curtail/measure";
import type { LogPage } from "./logged-page.js";

/**
 * Readings of an hour. With another set of them one of these differs: a transaction appends to an hour at once, and what is folded is
 * older than all that stays.
 */
export interface HourMark {
  count: number;
  newestXid: number;
  /** Of the numbers of their transactions. */
  sum: number;
}

export const newMark = (): HourMark => ({ count: 0, newestXid: 0, sum: 0 });

export const addTo = (mark: HourMark, xid: number): void => {
  mark.count += 1;
  mark.newestXid = Math.max(mark.newestXid, xid);
  mark.sum += xid;
};

interface SeriesMarks {
  /** Where the newest reading that is counted is. */
  head: number;
  newestXid: number;
  readonly byHour: Map<number, HourMark>;
}

/** Readings by series. */
interface Chains {
  readonly foldedBelow: number;
  walk(series: number, see: (place: number, page: LogPage) => number): void;
}

/** What the log has of hours that somebody follows, so that a look at many meters does not go through all their readings. */
export class HourMarks {
  private readonly bySeries = new Map<number, SeriesMarks>();

  constructor(private readonly logged: Chains) {}

  /** What has been heard of a series, with the newest of its transactions. */
  of(series: number): Omit<SeriesMarks, "head"> {
    let marks = this.bySeries.get(series);
    if (marks === undefined) {
      marks = { head: 0, newestXid: 0, byHour: new Map() };
      this.bySeries.set(series, marks);
    }
    this.count(series, marks);
    return marks;
  }

  /** To be called when something is not kept any more. */
  clear(): void {
    this.bySeries.clear();
  }

  /** Adds what has been heard of since. */
  private count(series: number, marks: SeriesMarks): void {
    const { head } = marks;
    this.logged.walk(series, (place, page) => {
      if (place <= head) return Number.POSITIVE_INFINITY;
      const xid = page.xid(place);
      if (xid >= this.logged.foldedBelow) {
        const last = hourOf(page.lastCell(place));
        for (let hour = hourOf(page.lastCell(place) - page.cellCount(place) + 1); hour <= last; hour++)
          addTo(markIn(marks.byHour, hour), xid);
        marks.newestXid = Math.max(marks.newestXid, xid);
      }
      marks.head = Math.max(marks.head, place);
      return Number.NEGATIVE_INFINITY;
    });
  }
}

const markIn = (byHour: Map<number, HourMark>, hour: number): HourMark => {
  const mark = byHour.get(hour) ?? newMark();
  byHour.set(hour, mark);
  return mark;
};
