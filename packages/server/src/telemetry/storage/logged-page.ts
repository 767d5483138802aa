export interface LoggedReading {
  readonly lastCell: number;
  readonly cellCount: number;
  /** In kW; of a state of charge, in kWh. */
  readonly value: number;
  /** Number of the transaction that appended it. */
  readonly xid: number;
}

const PAGE_BITS = 14;
export const PAGE = 1 << PAGE_BITS;

/** Of a reading, in four and in eight bytes each; all of it lies together, as a chain leads from page to page. */
const [INTS, LAST_CELL, CELL_COUNT, BACK, REACH] = [8, 0, 1, 6, 7];
const [DOUBLES, VALUE, XID] = [4, 1, 2];

/** Some readings of the log, by the lowest bits of their places. */
export class LogPage {
  private readonly doubles = new Float64Array(PAGE * DOUBLES);
  private readonly ints = new Int32Array(this.doubles.buffer);

  setReading(place: number, lastCell: number, cellCount: number, value: number, xid: number): void {
    const [ints, doubles] = [(place & (PAGE - 1)) * INTS, (place & (PAGE - 1)) * DOUBLES];
    this.ints[ints + LAST_CELL] = lastCell;
    this.ints[ints + CELL_COUNT] = cellCount;
    this.doubles[doubles + VALUE] = value;
    this.doubles[doubles + XID] = xid;
  }

  /** @param reach the newest cell of the reading and of those of its series before */
  setChain(place: number, back: number, reach: number): void {
    const ints = (place & (PAGE - 1)) * INTS;
    this.ints[ints + BACK] = back;
    this.ints[ints + REACH] = reach;
  }

  lastCell(place: number): number {
    return this.ints[(place & (PAGE - 1)) * INTS + LAST_CELL] ?? 0;
  }

  cellCount(place: number): number {
    return this.ints[(place & (PAGE - 1)) * INTS + CELL_COUNT] ?? 0;
  }

  /** How far the reading of the same series before is away; 0: there is none. */
  back(place: number): number {
    return this.ints[(place & (PAGE - 1)) * INTS + BACK] ?? 0;
  }

  reach(place: number): number {
    return this.ints[(place & (PAGE - 1)) * INTS + REACH] ?? 0;
  }

  value(place: number): number {
    return this.doubles[(place & (PAGE - 1)) * DOUBLES + VALUE] ?? 0;
  }

  xid(place: number): number {
    return this.doubles[(place & (PAGE - 1)) * DOUBLES + XID] ?? 0;
  }

  at(place: number): LoggedReading {
    return {
      lastCell: this.lastCell(place),
      cellCount: this.cellCount(place),
      value: this.value(place),
      xid: this.xid(place),
    };
  }
}
