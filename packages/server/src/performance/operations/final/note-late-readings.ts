import { CELL_SECONDS, cellEndMs } from "@curtail/measure";
import type { Clock } from "../../../platform/clock.js";
import type { GridReadings } from "../../../telemetry/operations/grid-readings.js";
import type { LateNotes } from "../../../telemetry/operations/record-telemetry.js";
import type { LateNoteStore, LateSpan, LateWindows } from "../late-ports.js";

/** Newer readings are the usual case: trackers of a dispatch see them. */
const LATE_MS = 120_000;

export interface LateNotePorts {
  readonly late: Pick<LateNoteStore, "note" | "settle">;
  readonly windows: LateWindows;
  readonly clock: Clock;
}

/** The first look only guards against a crash before the second, and then the client sends the upload again. */
const RECENT_MS = 1000;

/**
 * Notes readings that no tracker would see. Before they are stored, so that no crash hides them; and again afterwards
 * if a site was dispatched for the first time meanwhile, since it may have been measured without them. What changes after that
 * second look is measured with them: they were stored before.
 */
export const lateNotes = (ports: LateNotePorts): LateNotes => ({
  async note(readings) {
    const { late, windows, clock } = ports;
    const spans = lateSpans(readings, clock.now().getTime() - LATE_MS);
    if (spans.length === 0) return null;
    const before = await windows.concerned(spans, RECENT_MS);
    const notes = before.length === 0 ? [] : await late.note(before, clock.now());
    return () => settle(ports, { spans, before, notes });
  },
});

interface Noted {
  readonly spans: readonly LateSpan[];
  readonly before: readonly LateSpan[];
  readonly notes: readonly number[];
}

const settle = async ({ late, windows, clock }: LateNotePorts, { spans, before, notes }: Noted) => {
  const concerned = new Set([...before, ...(await windows.concerned(spans, 0))]);
  if (concerned.size > 0) await late.settle(notes, [...concerned], clock.now());
};

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
