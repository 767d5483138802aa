import { CELL_SECONDS, cellEndMs } from "@curtail/measure";
import type { GridReadings } from "../../telemetry/operations/grid-readings.js";
import type { LateNotes } from "../../telemetry/operations/record-telemetry.js";
import type { LateReadings, LateSpan } from "./measurement-ports.js";

/** Newer readings are the usual case: trackers of a dispatch see them. */
const LATE_MS = 120_000;

/** Notes readings that no tracker would see. */
export const lateNotes = (late: LateReadings): LateNotes => ({
  async note(readings, now) {
    const spans = lateSpans(readings, now.getTime() - LATE_MS);
    return spans.length === 0 ? [] : late.note(spans, now);
  },
  settle: (notes, now) => late.settle(notes, now),
});

/** The period from the first to the last late cell of each site. */
const lateSpans = (readings: GridReadings, beforeMs: number): LateSpan[] => {
  const { fromMs, toMs } = lateBySource(readings, beforeMs);
  const spans = new Map<number, LateSpan>();
  for (const [index, { site }] of readings.keys.entries()) {
    const [from = 0, to = 0] = [fromMs[index], toMs[index]];
    if (from > to) continue;
    const known = spans.get(site);
    spans.set(site, {
      site,
      fromMs: Math.min(from, known?.fromMs ?? from),
      toMs: Math.max(to, known?.toMs ?? to),
    });
  }
  return [...spans.values()];
};

/**
 * The same per source, in columns: uploads have many readings and few sources. `from` is past the end if no reading is
 * late.
 */
const lateBySource = ({ count, keys, source, lastCell, cellCount }: GridReadings, beforeMs: number) => {
  const fromMs = new Float64Array(keys.length).fill(Number.POSITIVE_INFINITY);
  const toMs = new Float64Array(keys.length).fill(Number.NEGATIVE_INFINITY);
  for (let index = 0; index < count; index++) {
    const endMs = cellEndMs(lastCell[index] ?? 0);
    if (endMs >= beforeMs) continue;
    const at = source[index] ?? 0;
    const startMs = endMs - (cellCount[index] ?? 0) * CELL_SECONDS * 1000;
    if (startMs < (fromMs[at] ?? 0)) fromMs[at] = startMs;
    if (endMs > (toMs[at] ?? 0)) toMs[at] = endMs;
  }
  return { fromMs, toMs };
};
