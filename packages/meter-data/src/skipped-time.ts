import type { Report } from "./csv-doubled-hour.js";
import { quoted } from "./fault-list.js";
import type { IntervalColumns } from "./interval-columns.js";
import { skippedFault } from "./row-time.js";

/** A row whose time is the first that clocks skip. */
export interface FirstSkipped {
  readonly at: number;
  /** Of a start that has a value; null: it is an end. */
  readonly text: string | null;
}

/** 02:00 is 03:00, if clocks go from one to the other: a file that lists both has nothing in one, or it is a fault. */
export const settleSkipped = (
  name: string,
  rows: IntervalColumns,
  firstSkipped: readonly FirstSkipped[],
  { note, fault }: Report,
): void => {
  if (firstSkipped.length === 0) return;
  const byTime = new Map(firstSkipped.map((each) => [rows.startMs[each.at] ?? 0, each]));
  const both = new Set<FirstSkipped>();
  for (let at = 0; at < rows.count; at++) {
    const skipped = byTime.get(rows.startMs[at] ?? 0);
    if (skipped === undefined || skipped.at === at) continue;
    const blank = blankOf(rows, at, skipped);
    if (blank !== undefined) copy(rows, blank === at ? skipped.at : at, blank);
    if (blank !== undefined && skipped.text === null)
      note(rows.line[blank] ?? 1, `${name}: clocks skip this interval, which has no value; it is left out`);
    if (blank !== undefined || skipped.text === null) continue;
    both.add(skipped);
    // It is a fault below; that the two overlap says no more.
    copy(rows, at, skipped.at);
  }
  let named = 0;
  for (const each of firstSkipped) {
    if (each.text === null) continue;
    const line = rows.line[each.at] ?? 1;
    if (both.has(each)) fault(line, skippedFault(each.text));
    else if (named++ < MAX_NAMED)
      note(
        line,
        `${name}: clocks skip the time ${quoted(each.text)}, and the file has no value where they go on; this one is it`,
      );
  }
  if (named > MAX_NAMED) note(1, `${name}: ${named} values at times that clocks skip are those where they go on`);
};

const MAX_NAMED = 10;

/** Of two rows at one instant, that without a value; a start that clocks skip has one. */
const blankOf = ({ powerKw }: IntervalColumns, at: number, skipped: FirstSkipped): number | undefined => {
  if (skipped.text !== null) return Number.isNaN(powerKw[at]) ? at : undefined;
  return [at, skipped.at].find((place) => !powerKw[place]);
};

const copy = ({ powerKw, seconds }: IntervalColumns, from: number, to: number): void => {
  powerKw[to] = powerKw[from] ?? Number.NaN;
  seconds[to] = seconds[from] ?? 0;
};
