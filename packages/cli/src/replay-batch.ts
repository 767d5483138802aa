import type { TelemetryReading } from "@curtail/contract";
import { cellCountOf, lastCellOf } from "@curtail/measure";
import { CommandFailure } from "./admin-io.js";
import { type CsvReading, partsOf } from "./replay-csv.js";
import { formatTimestamp } from "./timestamp.js";

/** Readings of one request: whole lines of the file, in order. */
export class Batch {
  readonly readings: TelemetryReading[] = [];
  /** Line number of each reading. */
  readonly lines: number[] = [];
  private readonly cells = new Map<string, { first: number; last: number }>();

  get lastLine(): number {
    return this.lines.at(-1) ?? 0;
  }

  add(reading: CsvReading, meterId: string, shiftMs: number): void {
    const { partSeconds, endsMs } = partsOf(reading);
    for (const endMs of endsMs) {
      const shiftedMs = endMs + shiftMs;
      this.readings.push({
        meter_id: meterId,
        interval_seconds: partSeconds,
        timestamp: formatTimestamp(shiftedMs),
        kW: reading.powerKw,
      });
      this.lines.push(reading.line);
      this.cover(meterId, lastCellOf(shiftedMs), cellCountOf(partSeconds));
    }
  }

  /** Whether both may fill the same cell, so that the later one must come second. */
  meets(other: Batch): boolean {
    for (const [meterId, { first, last }] of this.cells) {
      const theirs = other.cells.get(meterId);
      if (theirs !== undefined && first <= theirs.last && theirs.first <= last) return true;
    }
    return false;
  }

  private cover(meterId: string, lastCell: number, count: number): void {
    const range = this.cells.get(meterId);
    const first = lastCell - count + 1;
    if (range === undefined) {
      this.cells.set(meterId, { first, last: lastCell });
      return;
    }
    range.first = Math.min(range.first, first);
    range.last = Math.max(range.last, lastCell);
  }
}

/** Whole lines of at most `size` readings together; a longer line forms a batch of its own. */
export async function* batchesOf(
  lines: AsyncIterable<CsvReading>,
  {
    size,
    shiftMs,
    meterIds,
  }: { readonly size: number; readonly shiftMs: number; readonly meterIds: ReadonlyMap<string, string> },
): AsyncGenerator<Batch> {
  let batch = new Batch();
  for await (const line of lines) {
    const isFull = batch.readings.length > 0 && batch.readings.length + partsOf(line).endsMs.length > size;
    if (isFull) {
      yield batch;
      batch = new Batch();
    }
    const meterId = meterIds.get(line.meter);
    if (meterId === undefined)
      throw new CommandFailure(
        `line ${line.line} names a meter that is new in the file; do not change the file during the replay`,
      );
    batch.add(line, meterId, shiftMs);
  }
  if (batch.readings.length > 0) yield batch;
}
