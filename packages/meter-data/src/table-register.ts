import { type FaultList } from "./fault-list.js";
import { IntervalColumns, lengthFault, STEP } from "./interval-columns.js";

const MAX_SECONDS = 3600;

export interface RegisterReport {
  readonly faults: FaultList;
  readonly note: (line: number, message: string) => void;
  /** The interval in which a register falls is left out, not a fault. */
  readonly leavesOutResets: boolean;
}

/**
 * The energies between the readings of a register, each with its length. Where more than an hour is between two, there is
 * a gap. A register that falls was reset, exchanged or misread: a fault, or a gap, never negative energy.
 */
export function* differences(
  name: string,
  rows: IntervalColumns,
  { faults, note, leavesOutResets }: RegisterReport,
): Generator<undefined, IntervalColumns> {
  const found = new IntervalColumns(null);
  const places = Array.from({ length: rows.count }, (_, at) => at)
    .filter((at) => !Number.isNaN(rows.powerKw[at]))
    .toSorted((a, b) => (rows.startMs[a] ?? 0) - (rows.startMs[b] ?? 0) || a - b);
  let [gaps, gapLine, fallenFrom] = [0, 0, Number.POSITIVE_INFINITY];
  for (let index = 1; index < places.length; index++) {
    if (index % STEP === 0) yield;
    const [before, at] = [places[index - 1] ?? 0, places[index] ?? 0];
    const [startMs, line] = [rows.startMs[before] ?? 0, rows.line[at] ?? 1];
    const seconds = ((rows.startMs[at] ?? 0) - startMs) / 1000;
    const [from, to] = [rows.powerKw[before] ?? 0, rows.powerKw[at] ?? 0];
    if (seconds === 0) {
      if (from !== to)
        faults.add(line, `${name}: the register has two readings for one time, ${from} and ${to}; remove one`);
    } else if (to < from) {
      if (leavesOutResets) note(line, `${name}: the register falls from ${from} to ${to}; the interval is left out`);
      else
        faults.add(
          line,
          `${name}: the register falls from ${from} to ${to}; it was reset, exchanged or misread. Leave the interval out with mapping {"leave_out":{"resets":true}}, or correct it`,
        );
      fallenFrom = from;
    } else if (to - from >= fallenFrom && fallenFrom > 0) {
      faults.add(
        line,
        `${name}: the register rises again from ${from} to ${to} after it had fallen; remove the wrong reading`,
      );
      fallenFrom = Number.POSITIVE_INFINITY;
    } else if (seconds > MAX_SECONDS) {
      if (gaps++ === 0) gapLine = line;
    } else {
      const fault = lengthFault(seconds);
      if (fault === null)
        found.add({ startMs, seconds, value: to - from, isEstimated: rows.isEstimated[at] === 1, line });
      else faults.add(line, `${name}: ${fault}`);
    }
  }
  if (gaps > 0)
    note(
      gapLine,
      `${name}: ${gaps} times, more than an hour is between two readings of the register; no course is known there`,
    );
  return found;
}
