import type { FaultList } from "./fault-list.js";
import { type IntervalColumns, intervalsAt, STEP } from "./interval-columns.js";
import type { Intervals } from "./meter-data.js";

const DAY_MS = 86_400_000;

/**
 * Brings the intervals of a series into order. One that is in the file twice with the same value counts once; other
 * overlaps are faults. Yields between days, so that the caller can pause.
 */
export function* settled(name: string, columns: IntervalColumns, faults: FaultList): Generator<undefined, Intervals> {
  const days = yield* placesByDay(columns);
  const kept = new Int32Array(columns.count);
  let count = 0;
  // Sorts numbers ten times as fast as a list does.
  for (const day of Float64Array.from(days.keys()).sort()) {
    for (const at of inOrder(days.get(day) ?? [], columns)) {
      const before = count === 0 ? -1 : (kept[count - 1] ?? 0);
      const verdict = before < 0 ? "after" : compared(columns, before, at);
      if (verdict === "after") kept[count++] = at;
      else if (verdict !== "same") faults.add(columns.line[at] ?? 0, overlapOf(name, columns, { before, at }));
    }
    yield;
  }
  return intervalsAt(columns, kept.subarray(0, count));
}

function* placesByDay({ count, startMs }: IntervalColumns): Generator<undefined, Map<number, number[]>> {
  const days = new Map<number, number[]>();
  for (let at = 0; at < count; at++) {
    if (at % STEP === 0) yield;
    const day = Math.floor((startMs[at] ?? 0) / DAY_MS);
    const places = days.get(day);
    if (places === undefined) days.set(day, [at]);
    else places.push(at);
  }
  return days;
}

/** Of two that begin together, the first in the file comes first. */
const inOrder = (places: number[], { startMs }: IntervalColumns): number[] => {
  const isSorted = places.every(
    (at, index) => index === 0 || (startMs[places[index - 1] ?? 0] ?? 0) <= (startMs[at] ?? 0),
  );
  return isSorted ? places : places.toSorted((a, b) => (startMs[a] ?? 0) - (startMs[b] ?? 0) || a - b);
};

const compared = (columns: IntervalColumns, before: number, at: number): "after" | "same" | "overlap" => {
  const { startMs, seconds, powerKw } = columns;
  const beforeMs = startMs[before] ?? 0;
  if ((startMs[at] ?? 0) >= beforeMs + (seconds[before] ?? 0) * 1000) return "after";
  const isSame = startMs[at] === beforeMs && seconds[at] === seconds[before] && Object.is(powerKw[at], powerKw[before]);
  return isSame ? "same" : "overlap";
};

const overlapOf = (name: string, { startMs, line }: IntervalColumns, { before, at }: { before: number; at: number }) =>
  `the interval of ${name} that begins at ${new Date(startMs[at] ?? 0).toISOString()} overlaps the one on line ${line[before]}, and is not the same; remove one of them`;
