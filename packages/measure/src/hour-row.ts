import { CELLS_PER_HOUR, hourOf, placeInHour } from "./grid.js";

/** Numbers by which telemetry is keyed: a meter and the site it belongs to. */
export interface MeterKey {
  readonly site: number;
  readonly meter: number;
}

/** One meter's hour on the grid: 120 cells in kW, NaN where there is no data. */
export interface HourRow extends MeterKey {
  readonly hour: number;
  readonly cells: Float64Array;
}

/** Collects readings into hour rows; a later reading replaces the cells it fills (last write wins). */
export interface HourRows {
  add(key: MeterKey, lastCell: number, cellCount: number, kw: number): void;
  /** Rows in the order of site, meter, hour. */
  sorted(): HourRow[];
}

// 2^32 hours are 490,000 years, so meter and hour fit into one exact number as key.
const keyOf = (meter: number, hour: number): number => meter * 0x1_0000_0000 + hour;

export const hourRows = (): HourRows => {
  const rows = new Map<number, HourRow>();
  const emptyCells = cellSource();
  // Readings mostly arrive in order, so the previous reading's row is tried first.
  let recent: HourRow | undefined;

  const rowOf = ({ site, meter }: MeterKey, hour: number): HourRow => {
    if (recent !== undefined && recent.hour === hour && recent.meter === meter) return recent;
    const key = keyOf(meter, hour);
    let row = rows.get(key);
    if (row === undefined) {
      row = { site, meter, hour, cells: emptyCells() };
      rows.set(key, row);
    }
    recent = row;
    return row;
  };

  return {
    add(key, lastCell, cellCount, kw) {
      for (let cell = lastCell - cellCount + 1; cell <= lastCell; cell++) {
        rowOf(key, hourOf(cell)).cells[placeInHour(cell)] = kw;
      }
    },
    sorted: () => [...rows.values()].sort((a, b) => a.site - b.site || a.meter - b.meter || a.hour - b.hour),
  };
};

const HOURS_PER_SLAB = 64;

/** Empty hours, cut from larger blocks of memory: allocating each separately costs more than filling it. */
const cellSource = (): (() => Float64Array) => {
  let slab = new Float64Array(0);
  let used = 0;
  return () => {
    if (used === slab.length) {
      slab = new Float64Array(HOURS_PER_SLAB * CELLS_PER_HOUR).fill(Number.NaN);
      used = 0;
    }
    used += CELLS_PER_HOUR;
    return slab.subarray(used - CELLS_PER_HOUR, used);
  };
};

/** A run of filled cells in an hour: indexes `from` to `to`, inclusive. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/** The runs of filled cells, in order. */
export const runsOf = (cells: Float64Array): Run[] => {
  const runs: Run[] = [];
  let from = -1;
  for (let place = 0; place <= cells.length; place++) {
    const filled = place < cells.length && !Number.isNaN(cells[place]);
    if (filled && from < 0) from = place;
    if (!filled && from >= 0) {
      runs.push({ from, to: place - 1 });
      from = -1;
    }
  }
  return runs;
};
