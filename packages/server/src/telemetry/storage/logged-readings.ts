import { HourMarks } from "./hour-marks.js";
import { kindOf, type LogBatch } from "./log-batch.js";
import { type LoggedReading, LogPage, PAGE } from "./logged-page.js";
import { NumbersByKey } from "./numbers-by-key.js";

/** Where the readings of a batch are. */
interface Placed {
  readonly seq: number;
  readonly xid: number;
  readonly atMs: number;
  readonly from: number;
  readonly count: number;
}

/** Whether a reading counts, by the number of its transaction. */
type IsWanted = (xid: number) => boolean;

/** One power of each of some meters, in the order of the meters' numbers. */
export interface NewestReadings {
  readonly meters: Int32Array;
  readonly cells: Int32Array;
  readonly kw: Float64Array;
}

/**
 * Readings of the log in the order in which this process heard of them, each series' in a chain. What is folded goes from
 * the front, a page at a time: no step copies all of them.
 */
export class LoggedReadings {
  private readonly pages = new Map<number, LogPage>();
  /** Of each series, the reading that was heard of last. */
  private readonly last = new NumbersByKey();
  private readonly seqs = new Set<number>();
  private placed: Placed[] = [];
  /** How many of `placed` are gone. */
  private gone = 0;
  /** Readings have places from the first to before the next; they are never used again. */
  private first = 1;
  private next = 1;
  /** What transactions before it appended is not kept any more. */
  foldedBelow = 0;
  readonly marks = new HourMarks(this);

  get count(): number {
    return this.next - this.first;
  }

  /** When the oldest of them was appended. */
  get oldestMs(): number | null {
    return this.placed[this.gone]?.atMs ?? null;
  }

  /** Does nothing if it is known. */
  add(batch: LogBatch): void {
    const { seq, xid, atMs, count } = batch;
    if (this.seqs.has(seq) || xid < this.foldedBelow) return;
    this.seqs.add(seq);
    this.placed.push({ seq, xid, atMs, from: this.next, count });
    for (let index = 0; index < count; index++) this.append(batch, index);
  }

  private append({ series: all, lastCells, cellCounts, values, xid }: LogBatch, index: number): void {
    const place = this.next++;
    const series = all[index] ?? 0;
    const lastCell = lastCells[index] ?? 0;
    const before = this.last.get(series);
    const isFirst = before < this.first;
    const reach = isFirst ? lastCell : Math.max(lastCell, this.pageOf(before).reach(before));
    const page = this.pageOf(place);
    page.setReading(place, lastCell, cellCounts[index] ?? 0, values[index] ?? 0, xid);
    page.setChain(place, isFirst ? 0 : place - before, reach);
    this.last.set(series, place);
  }

  private pageOf(place: number): LogPage {
    const number = Math.floor(place / PAGE);
    let page = this.pages.get(number);
    if (page === undefined) {
      page = new LogPage();
      this.pages.set(number, page);
    }
    return page;
  }

  /** Forgets what transactions before `xid` appended, from the front on. */
  dropBelow(xid: number): void {
    if (xid <= this.foldedBelow) return;
    this.foldedBelow = xid;
    this.marks.clear();
    for (let front = this.placed[this.gone]; front !== undefined && front.xid < xid; front = this.placed[this.gone]) {
      this.seqs.delete(front.seq);
      this.first = front.from + front.count;
      this.gone += 1;
    }
    if (this.gone > this.placed.length / 2) {
      this.placed = this.placed.slice(this.gone);
      this.gone = 0;
    }
    for (const number of this.pages.keys()) {
      if ((number + 1) * PAGE > this.first) break;
      this.pages.delete(number);
    }
    if (this.count === 0) this.last.clear();
  }

  /** Whether transactions before this number appended something that is kept. */
  hasBelow(xid: number): boolean {
    return this.placed.some((each, nth) => nth >= this.gone && each.xid < xid && each.xid >= this.foldedBelow);
  }

  /** Transactions before this number began before `untilMs`; infinite: all did. */
  endOfBegunBefore(untilMs: number): number {
    let end = Number.POSITIVE_INFINITY;
    for (const { xid, atMs } of this.placed.slice(this.gone)) if (atMs >= untilMs) end = Math.min(end, xid);
    return end;
  }

  /** Transactions before this number appended `most` readings or some more; infinite: all have not appended more. */
  endOfOldest(most: number): number {
    if (this.count <= most) return Number.POSITIVE_INFINITY;
    let sum = 0;
    let last = 0;
    for (const { xid, count } of this.placed.slice(this.gone).toSorted((a, b) => a.xid - b.xid)) {
      if (sum >= most && xid > last) return xid;
      sum += count;
      last = xid;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Series of readings that are kept, in the order of their numbers, up to 1,024 at once. */
  series(): Generator<number[]> {
    return this.last.keys(() => this.first);
  }

  /**
   * For each meter the power of its newest interval; none where that is folded and others are not.
   *
   * @param among numbers of meters, in their order; null: all
   */
  *newestReadings(among: readonly number[] | null): Generator<NewestReadings> {
    for (const some of among === null ? this.series() : pieces(among)) {
      const found = some.flatMap((meter) => (isPower(meter) ? (this.newestIn(meter) ?? []) : []));
      yield {
        meters: Int32Array.from(found, ({ meter }) => meter),
        cells: Int32Array.from(found, ({ reading }) => reading.lastCell),
        kw: Float64Array.from(found, ({ reading }) => reading.value),
      };
    }
  }

  private newestIn(meter: number): { readonly meter: number; readonly reading: LoggedReading } | undefined {
    const last = this.last.get(meter);
    const reading = this.newestOf(meter, (xid) => xid >= this.foldedBelow);
    // A newer one may be folded.
    return reading?.lastCell === this.pages.get(Math.floor(last / PAGE))?.reach(last) && reading !== undefined
      ? { meter, reading }
      : undefined;
  }

  /** Those of a series, in the order of their transactions, among those that `isWanted`. */
  ofSeries(series: number, isWanted: IsWanted): LoggedReading[] {
    return this.places(series, isWanted, Number.NEGATIVE_INFINITY).map((place) => this.at(place));
  }

  /** Where those are whose last cell is not before `fromCell`, and maybe others, in the order of their transactions. */
  places(series: number, isWanted: IsWanted, fromCell: number): number[] {
    const found: number[] = [];
    let [isOrdered, later] = [true, Number.POSITIVE_INFINITY];
    this.walk(series, (place, page) => {
      const xid = page.xid(place);
      if (!isWanted(xid)) return fromCell;
      isOrdered &&= xid <= later;
      later = xid;
      found.push(place);
      return fromCell;
    });
    found.reverse();
    return isOrdered ? found : found.toSorted((a, b) => this.at(a).xid - this.at(b).xid);
  }

  /** The reading at a place. */
  at(place: number): LoggedReading {
    return this.pageOf(place).at(place);
  }

  /** The one whose last cell is the newest, of a newer transaction where there are several, among those that `isWanted`. */
  newestOf(series: number, isWanted: IsWanted): LoggedReading | undefined {
    let newest: LoggedReading | undefined;
    this.walk(series, (place, page) => {
      const [lastCell, xid] = [page.lastCell(place), page.xid(place)];
      const isNewer =
        newest === undefined || lastCell > newest.lastCell || (lastCell === newest.lastCell && xid > newest.xid);
      if (isNewer && isWanted(xid)) newest = this.at(place);
      return newest?.lastCell ?? Number.NEGATIVE_INFINITY;
    });
    return newest;
  }

  /** Shows the readings of a series, the one that was heard of last first, while there may be some with a cell from the returned one on. */
  walk(series: number, see: (place: number, page: LogPage) => number): void {
    let fromCell = Number.NEGATIVE_INFINITY;
    for (let place = this.last.get(series); place > 0 && place >= this.first; ) {
      const page = this.pageOf(place);
      if (page.reach(place) < fromCell) return;
      fromCell = see(place, page);
      const back = page.back(place);
      if (back === 0) return;
      place -= back;
    }
  }
}

const isPower = (series: number): boolean => kindOf(series) === "power";

const AT_ONCE = 1024;

function* pieces(meters: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < meters.length; at += AT_ONCE) yield meters.slice(at, at + AT_ONCE);
}
