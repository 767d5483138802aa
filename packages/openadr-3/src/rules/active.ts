import type { EventRequest } from "../contract/event.js";
import type { IntervalPeriod } from "../contract/interval.js";
import { addDuration, parseDuration } from "./duration.js";
import { isNow, parseTime } from "./times.js";

/** An end: never, or not known; both are no reason to leave an event out. */
type End = Date | null;

/**
 * When the last interval of an event has ended (User Guide, 7.3); null: never, or the event does not state it.
 *
 * An interval without a start follows the one before. `duration` of the event counts from the first start, and replaces
 * that of the intervals: they repeat, or are cut off. A random start may delay the end.
 */
export const transpiresAt = (event: EventRequest): Date | null => {
  const start = startOf(event);
  const end = event.duration === undefined ? lastEnd(event) : start === null ? null : after(start, event.duration);
  return end === null ? null : after(end, absolute(randomStart(event)));
};

const periods = ({ intervals, intervalPeriod }: EventRequest): readonly IntervalPeriod[] => {
  const given = intervals ?? [];
  return given.length === 0
    ? intervalPeriod === undefined
      ? []
      : [intervalPeriod]
    : given.map((interval) => interval.intervalPeriod ?? {});
};

const startOf = (event: EventRequest): Date | null => {
  const own = timeOf(periods(event)[0]?.start);
  const ofEvent = timeOf(event.intervalPeriod?.start);
  return own === null || (isNow(own) && ofEvent !== null) ? ofEvent : own;
};

const lastEnd = (event: EventRequest): End => {
  const ends: Date[] = [];
  for (const period of periods(event)) {
    const own = timeOf(period.start);
    const isOwn = ends.length > 0 && own !== null && !isNow(own);
    const start = isOwn ? own : (ends.at(-1) ?? startOf(event));
    const duration = period.duration ?? event.intervalPeriod?.duration;
    const end = start === null || duration === undefined ? null : after(start, duration);
    if (end === null) return null;
    ends.push(end);
  }
  return ends.length === 0 ? null : new Date(Math.max(...ends.map((end) => end.getTime())));
};

const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : parseTime(text));

const after = (at: Date, duration: string): End => {
  const parsed = parseDuration(duration);
  return parsed === null ? null : addDuration(at, parsed);
};

const randomStart = (event: EventRequest): string =>
  periods(event)[0]?.randomizeStart ?? event.intervalPeriod?.randomizeStart ?? "PT0S";

const absolute = (duration: string): string => duration.replace(/^-/, "");
