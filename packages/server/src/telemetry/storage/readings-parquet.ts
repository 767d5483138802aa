import { CELL_SECONDS, CELLS_PER_HOUR, type HourRow } from "@curtail/measure";
import {
  numberColumn,
  type ParquetColumn,
  ParquetFile,
  textColumn,
  timeColumn,
} from "../../platform/files/parquet-file.js";
import { CELLS_PER_DAY, slotsOf, startOf } from "../domain/day-slots.js";
import { dayOfHour, layHour } from "./packed-day.js";

/** Hours of a meter, in any order. */
export interface MeterHours {
  readonly id: string;
  readonly name: string;
  readonly hours: readonly HourRow[];
}

/** Packed at once, in 25 ms; larger groups would hold up others for longer. */
const ROWS_OF_GROUP = 20_000;

const columnsWith = (value: ReadingsUnit) => ({
  /** The end of the reading's interval. */
  timestamp: timeColumn,
  meter_id: textColumn,
  meter_name: textColumn,
  interval_seconds: { type: "INT32", repetition_type: "REQUIRED" } satisfies ParquetColumn,
  [value]: numberColumn,
});

/** Average power over the interval, or state of charge. */
type ReadingsUnit = "kw" | "kwh";

interface Rows {
  readonly timestamp: bigint[];
  readonly meter_id: string[];
  readonly meter_name: string[];
  readonly interval_seconds: number[];
  readonly value: number[];
}

/** Readings of meters as a Parquet file, exact to the bit. */
export class ReadingsParquet {
  private readonly file: ParquetFile<string>;
  private rows = noRows();
  private written = 0;

  constructor(private readonly unit: ReadingsUnit = "kw") {
    this.file = new ParquetFile(columnsWith(unit));
  }

  /** Readings so far. */
  get count(): number {
    return this.written + this.rows.value.length;
  }

  /** The file's bytes, meter by meter and in the order of time. */
  async *bytes(meters: AsyncIterable<MeterHours>): AsyncGenerator<Uint8Array> {
    for await (const meter of meters) {
      for (const [day, cells] of daysOf(meter.hours)) {
        addDay(this.rows, meter, day, cells);
        if (this.rows.value.length >= ROWS_OF_GROUP) yield await this.takeGroup();
      }
    }
    if (this.rows.value.length > 0) yield await this.takeGroup();
    yield await this.file.takeEnd();
  }

  private async takeGroup(): Promise<Uint8Array> {
    const { value, ...rows } = this.rows;
    this.written += value.length;
    this.rows = noRows();
    return this.file.takeGroup({ ...rows, [this.unit]: value });
  }
}

const noRows = (): Rows => ({ timestamp: [], meter_id: [], meter_name: [], interval_seconds: [], value: [] });

/** The cells of each day (UTC, counted from 1970), oldest first. */
const daysOf = (hours: readonly HourRow[]): Array<readonly [day: number, cells: Float64Array]> => {
  const days = new Map<number, Float64Array>();
  for (const row of hours) {
    const day = dayOfHour(row.hour);
    const cells = days.get(day) ?? new Float64Array(CELLS_PER_DAY).fill(Number.NaN);
    days.set(day, cells);
    layHour({ site: row.site, meter: row.meter, day, cells }, row);
  }
  return [...days].toSorted(([a], [b]) => a - b);
};

const DAY_SECONDS = 86_400;

/** In the longest intervals that the day can be cut into, of at most an hour: those of its readings, or multiples. */
const addDay = (rows: Rows, { id, name }: MeterHours, day: number, cells: Float64Array): void => {
  const { stepCells, phase, powers } = slotsOf(cells, CELLS_PER_HOUR);
  for (const [slot, kw] of powers.entries()) {
    if (Number.isNaN(kw)) continue;
    const first = startOf(slot, stepCells, phase);
    const end = Math.min(CELLS_PER_DAY, startOf(slot + 1, stepCells, phase));
    rows.timestamp.push(BigInt((day * DAY_SECONDS + end * CELL_SECONDS) * 1000));
    rows.meter_id.push(id);
    rows.meter_name.push(name);
    rows.interval_seconds.push((end - first) * CELL_SECONDS);
    rows.value.push(kw);
  }
};
