import type { EventRequest } from "../contract/event.js";
import { lengthMs, parseDuration } from "./duration.js";
import { isNow, parseMoment } from "./moment.js";

/** When an interval of an event is. */
export interface EventInterval {
  readonly startMs: number;
  /** null: endless, or not told. */
  readonly lengthMs: number | null;
}

type Timing = Pick<EventRequest, "intervalPeriod" | "intervals">;

/** The intervals of an event by their ids; those whose start cannot be known are left out. */
export const eventIntervals = (
  { intervalPeriod: defaults, intervals = [] }: Timing,
  createdAt: Date,
): ReadonlyMap<number, EventInterval> => {
  const found = new Map<number, EventInterval>();
  let nextMs = startMs(defaults?.start, createdAt);
  for (const { id, intervalPeriod: own } of intervals) {
    const start = own?.start === undefined || isNow(own.start) ? nextMs : startMs(own.start, createdAt);
    const length = lengthOf(own?.duration) ?? lengthOf(defaults?.duration);
    if (start !== null) found.set(id, { startMs: start, lengthMs: length });
    nextMs = start === null || length === null ? null : start + length;
  }
  return found;
};

/** "Now" is when the event was created. */
const startMs = (start: string | undefined, createdAt: Date): number | null =>
  start === undefined || isNow(start) ? createdAt.getTime() : (parseMoment(start)?.getTime() ?? null);

/** PT0S is the default of the specification: not told. */
const lengthOf = (text: string | undefined): number | null => {
  const duration = text === undefined ? null : parseDuration(text);
  const length = duration === null ? null : lengthMs(duration);
  return length !== null && length > 0 ? length : null;
};
