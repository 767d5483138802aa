import { CELL_SECONDS, cellEndMs } from "@curtail/measure";
import type { GridReadings } from "./grid-readings.js";
import type { LateReadings, LateSpan } from "./measurement-ports.js";

/** Newer readings are the usual ones: whoever follows a dispatch sees them. */
const LATE_MS = 120_000;

/** Notes readings of the past before they are kept; answers what is to be settled once they are. */
export const noteLateReadings = async (
  late: LateReadings,
  readings: GridReadings,
  now: Date,
): Promise<readonly number[]> => {
  const spans = lateSpans(readings, now.getTime() - LATE_MS);
  return spans.length === 0 ? [] : late.note(spans, now);
};

/** From the first to the last late cell of each site. */
const lateSpans = ({ count, keys, source, lastCell, cellCount }: GridReadings, beforeMs: number): LateSpan[] => {
  const spans = new Map<number, LateSpan>();
  for (let index = 0; index < count; index++) {
    const toMs = cellEndMs(lastCell[index] ?? 0);
    const site = keys[source[index] ?? -1]?.site;
    if (toMs >= beforeMs || site === undefined) continue;
    const fromMs = toMs - (cellCount[index] ?? 0) * CELL_SECONDS * 1000;
    const known = spans.get(site);
    if (known !== undefined && known.fromMs <= fromMs && known.toMs >= toMs) continue;
    spans.set(site, {
      site,
      fromMs: Math.min(fromMs, known?.fromMs ?? fromMs),
      toMs: Math.max(toMs, known?.toMs ?? toMs),
    });
  }
  return [...spans.values()];
};
