import type { EventRequest } from "../contract/event.js";
import { isNow, parseTime } from "../rules/times.js";
import { fixedMs } from "./fixed-length.js";

/** When an interval of an event is. */
export interface EventInterval {
  readonly startMs: number;
  /** null: endless, or not stated. */
  readonly lengthMs: number | null;
}

type Timing = Pick<EventRequest, "intervalPeriod" | "intervals">;

/** The intervals of an event by their ids; those whose start cannot be known are left out. */
export const eventIntervals = (
  { intervalPeriod: defaults, intervals = [] }: Timing,
  createdAt: Date,
): ReadonlyMap<number, EventInterval> => {
  const found = new Map<number, EventInterval>();
  // "Now" is when the event was created.
  let nextMs: number | null = startMs(defaults?.start) ?? createdAt.getTime();
  for (const { id, intervalPeriod: own } of intervals) {
    const start: number | null = startMs(own?.start) ?? nextMs;
    const length: number | null = lengthMs(own?.duration) ?? lengthMs(defaults?.duration);
    if (start !== null) found.set(id, { startMs: start, lengthMs: length });
    nextMs = start === null || length === null ? null : start + length;
  }
  return found;
};

/** null: not stated, or now. */
const startMs = (start: string | undefined): number | null => {
  const at = start === undefined ? null : parseTime(start);
  return at === null || isNow(at) ? null : at.getTime();
};

/** PT0S is the default of the specification: not stated. */
const lengthMs = (text: string | undefined): number | null => {
  const length = text === undefined ? null : fixedMs(text);
  return length !== null && length > 0 ? length : null;
};
