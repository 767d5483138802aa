import { kindOf, type LogBatch } from "./log-batch.js";
import { PlacesByNumber } from "./places-by-number.js";

const PAGE_BITS = 14;
const PAGE = 1 << PAGE_BITS;

/** A piece of the columns; `back` leads to the reading of the same series before, 0: there is none. */
class Page {
  readonly lastCell = new Int32Array(PAGE);
  readonly cellCount = new Int32Array(PAGE);
  readonly value = new Float64Array(PAGE);
  readonly back = new Uint32Array(PAGE);
  readonly xid = new Float64Array(PAGE);
}

/** Where the readings of a batch are. */
interface Placed {
  readonly seq: number;
  readonly xid: number;
  readonly atMs: number;
  readonly from: number;
  readonly count: number;
}

export interface LoggedReading {
  readonly lastCell: number;
  readonly cellCount: number;
  /** In kW; of a state of charge, in kWh. */
  readonly value: number;
  /** Number of the transaction that appended it. */
  readonly xid: number;
}

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
  private readonly pages = new Map<number, Page>();
  /** Of each series, the reading that was heard of last. */
  private readonly last = new PlacesByNumber();
  /** Of each series, the reading of its newest interval. */
  private readonly newest = new PlacesByNumber();
  private readonly seqs = new Set<number>();
  private placed: Placed[] = [];
  /** How many of `placed` are gone. */
  private gone = 0;
  /** Readings have places from the first to before the next; they are never used again. */
  private first = 1;
  private next = 1;
  /** What transactions before it appended is not kept any more. */
  foldedBelow = 0;

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
    const page = this.pageOf(place);
    const at = place & (PAGE - 1);
    const series = all[index] ?? 0;
    page.lastCell[at] = lastCells[index] ?? 0;
    page.cellCount[at] = cellCounts[index] ?? 0;
    page.value[at] = values[index] ?? 0;
    page.xid[at] = xid;
    const before = this.last.get(series);
    page.back[at] = before < this.first ? 0 : place - before;
    this.last.set(series, place);
    if (this.isNewest(series, lastCells[index] ?? 0, xid)) this.newest.set(series, place);
  }

  private isNewest(series: number, lastCell: number, xid: number): boolean {
    const known = this.newest.get(series);
    if (known < this.first) return true;
    const page = this.pageOf(known);
    const cell = page.lastCell[known & (PAGE - 1)] ?? 0;
    return lastCell > cell || (lastCell === cell && xid >= (page.xid[known & (PAGE - 1)] ?? 0));
  }

  private pageOf(place: number): Page {
    const number = Math.floor(place / PAGE);
    let page = this.pages.get(number);
    if (page === undefined) {
      page = new Page();
      this.pages.set(number, page);
    }
    return page;
  }

  /** Forgets what transactions before `xid` appended, from the front on. */
  dropBelow(xid: number): void {
    if (xid <= this.foldedBelow) return;
    this.foldedBelow = xid;
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
    if (this.count > 0) return;
    this.last.clear();
    this.newest.clear();
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
    return this.last.numbers(() => this.first);
  }

  /**
   * For each meter the power of its newest interval; none where that is folded and others are not.
   *
   * @param among numbers of meters, in their order; null: all
   */
  *newestReadings(among: readonly number[] | null): Generator<NewestReadings> {
    const isKept = (meter: number): boolean => this.newest.get(meter) >= this.first;
    for (const meters of among === null ? this.newest.numbers(() => this.first) : pieces(among)) {
      const isWanted = among === null ? isPower : isKept;
      const places = meters.filter(isWanted).map((meter) => [meter, this.newest.get(meter)] as const);
      yield {
        meters: Int32Array.from(places, ([meter]) => meter),
        cells: Int32Array.from(places, ([, place]) => this.pageOf(place).lastCell[place & (PAGE - 1)] ?? 0),
        kw: Float64Array.from(places, ([, place]) => this.pageOf(place).value[place & (PAGE - 1)] ?? 0),
      };
    }
  }

  /** Those of a series, in the order of their transactions, among those that `isWanted`. */
  ofSeries(series: number, isWanted: (xid: number) => boolean): LoggedReading[] {
    const found: LoggedReading[] = [];
    let isOrdered = true;
    for (let place = this.last.get(series); place > 0 && place >= this.first; ) {
      const page = this.pageOf(place);
      const at = place & (PAGE - 1);
      const xid = page.xid[at] ?? 0;
      if (isWanted(xid)) {
        isOrdered &&= found.length === 0 || xid <= (found.at(-1)?.xid ?? xid);
        const [lastCell = 0, cellCount = 0, value = 0] = [page.lastCell[at], page.cellCount[at], page.value[at]];
        found.push({ lastCell, cellCount, value, xid });
      }
      const back = page.back[at] ?? 0;
      if (back === 0) break;
      place -= back;
    }
    found.reverse();
    return isOrdered ? found : found.toSorted((a, b) => a.xid - b.xid);
  }
}

const isPower = (series: number): boolean => kindOf(series) === "power";

const AT_ONCE = 1024;

function* pieces(meters: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < meters.length; at += AT_ONCE) yield meters.slice(at, at + AT_ONCE);
}
