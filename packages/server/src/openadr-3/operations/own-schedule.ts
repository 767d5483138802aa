import { dayOfDate, isDate, type LocalTime, localTime } from "@curtail/measure";
import type { TimedValue } from "@curtail/openadr-3";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import { formatTimestamp, wholeSecond } from "../../platform/timestamp.js";
import { refuseTimezone } from "../../portfolio/domain/program.js";

/** The times and values of an event, as requested. */
export interface ScheduleRequest {
  readonly start?: Date | undefined;
  /** A whole local day in place of start and end. */
  readonly day?: string | undefined;
  readonly timezone?: string | undefined;
  /** null: it never ends. */
  readonly end?: Date | null | undefined;
  /** Of each value. */
  readonly intervalSeconds?: number | undefined;
  readonly values?: readonly number[] | undefined;
  readonly message?: string | undefined;
  readonly intervals?: ReadonlyArray<RequestedInterval> | undefined;
}

export interface RequestedInterval {
  readonly start: Date;
  readonly value: number;
  /** undefined: where the next begins, or the event ends. */
  readonly end?: Date | null | undefined;
}

/** The intervals of an event, without gaps. `start` is where it begins if the request does not say. */
export const scheduleOf = (request: ScheduleRequest, start: Date): Result<readonly TimedValue[]> => {
  const { values, message, intervals } = request;
  const given = [values, message, intervals].filter((each) => each !== undefined);
  if (given.length !== 1) return invalid("give one of values, intervals and message");
  return intervals === undefined
    ? evenIntervals(request, values ?? [message ?? ""], start)
    : ownIntervals(request, intervals);
};

const SECOND_MS = 1000;

interface Span {
  readonly start: Date;
  /** null: it never ends; undefined: the values say. */
  readonly end: Date | null | undefined;
}

const spanOf = ({ start, day, timezone, end }: ScheduleRequest, fallback: Date): Result<Span> => {
  if (day === undefined) {
    if (timezone !== undefined) return invalid("timezone is that of day; give day, or leave timezone out");
    return { start: wholeSecond(start ?? fallback), end: end && wholeSecond(end) };
  }
  if (start !== undefined || end !== undefined)
    return invalid("day is the whole time of the event; leave start_time and end_time out");
  if (timezone === undefined) return invalid("timezone is missing; give the time zone of day");
  if (!isDate(day)) return invalid(`day is "${quote(day)}", which is no day of the calendar; give YYYY-MM-DD`);
  return refuseTimezone(timezone) ?? dayIn(localTime(timezone), dayOfDate(day));
};

const dayIn = (time: LocalTime, day: number): Span => ({
  start: new Date(time.startOf(day) * SECOND_MS),
  end: new Date(time.startOf(day + 1) * SECOND_MS),
});

const evenIntervals = (
  request: ScheduleRequest,
  values: ReadonlyArray<number | string>,
  fallback: Date,
): Result<readonly TimedValue[]> => {
  const span = spanOf(request, fallback);
  if (isRefusal(span)) return span;
  const lengthMs = lengthOf(request, span, values.length);
  if (isRefusal(lengthMs)) return lengthMs;
  if (lengthMs === null) return inTime(values.map((value) => ({ start: span.start, end: null, value })));
  const refusal = refuseCount(request, { span, lengthMs, count: values.length });
  const edge = (index: number): Date => new Date(span.start.getTime() + index * lengthMs);
  return refusal ?? inTime(values.map((value, index) => ({ start: edge(index), end: edge(index + 1), value })));
};

/** null: a single value without end. */
const lengthOf = ({ intervalSeconds }: ScheduleRequest, { start, end }: Span, count: number): Result<number | null> => {
  if (end === null) {
    if (intervalSeconds !== undefined)
      return invalid("interval_seconds is given for an event that never ends; leave it out, or give end_time");
    return count === 1 ? null : invalid(`values has ${count} values for an event that never ends; give one`);
  }
  if (intervalSeconds !== undefined) return intervalSeconds * SECOND_MS;
  if (end === undefined)
    return invalid("interval_seconds is missing; give it, or end_time, which is null for an event that never ends");
  if (count > 1) return invalid(`interval_seconds is missing; give the length of each of the ${count} values`);
  const lengthMs = end.getTime() - start.getTime();
  return lengthMs > 0 ? lengthMs : endsBefore("end_time", { start, end });
};

const endsBefore = (member: string, { start, end }: { readonly start: Date; readonly end: Date }): Refusal =>
  invalid(`${member} is ${formatTimestamp(end)}, not after the start ${formatTimestamp(start)}; give a later one`);

interface Filling {
  readonly span: Span;
  readonly lengthMs: number;
  readonly count: number;
}

/** The values of an event whose end is given have to fill it. */
const refuseCount = (
  { day, timezone, intervalSeconds, message }: ScheduleRequest,
  { span: { start, end }, lengthMs, count }: Filling,
): Refusal | null => {
  if (end === undefined || end === null) return null;
  const wholeMs = end.getTime() - start.getTime();
  if (wholeMs <= 0) return endsBefore("end_time", { start, end });
  const wanted = wholeMs / lengthMs;
  const place = day === undefined ? "the time of the event" : `${day} in ${timezone}`;
  const hours = wholeMs / 3_600_000;
  if (!Number.isInteger(wanted))
    return invalid(
      `interval_seconds is ${intervalSeconds}, which does not divide ${place}, ${hours} hours; give another`,
    );
  if (wanted === count) return null;
  const named = message === undefined ? `values has ${count}` : "message is one value";
  return invalid(
    `${named}, but ${place} has ${wanted} intervals of ${lengthMs / SECOND_MS} s; give one value for each`,
  );
};

const ownIntervals = (
  request: ScheduleRequest,
  intervals: readonly RequestedInterval[],
): Result<readonly TimedValue[]> => {
  const { start, end, day, timezone, intervalSeconds } = request;
  if ([start, day, timezone, intervalSeconds].some((each) => each !== undefined))
    return invalid("intervals have times of their own; leave start_time, day, timezone and interval_seconds out");
  const timed: TimedValue[] = [];
  for (const [index, interval] of intervals.entries()) {
    const next = intervals[index + 1];
    const given = interval.end === undefined ? (next?.start ?? end) : interval.end;
    const made = intervalOf(index, { ...interval, end: given }, next);
    if (isRefusal(made)) return made;
    timed.push(made);
  }
  const last = timed.at(-1);
  if (last !== undefined && end !== undefined && last.end?.getTime() !== (end && wholeSecond(end))?.getTime())
    return invalid(`end_time is not where the last interval ends, ${whenOf(last.end)}; leave it out`);
  return inTime(timed);
};

const whenOf = (at: Date | null): string => (at === null ? "never" : formatTimestamp(at));

const intervalOf = (
  index: number,
  { start: begins, end: ends, value }: RequestedInterval,
  next: RequestedInterval | undefined,
): Result<TimedValue> => {
  const at = `intervals[${index}]`;
  const start = wholeSecond(begins);
  if (ends === undefined) return invalid(`${at}.end_time is missing; give it, or end_time, null if it never ends`);
  const end = ends === null ? null : wholeSecond(ends);
  if (end !== null && end <= start) return endsBefore(`${at}.end_time`, { start, end });
  if (next === undefined) return { start, end, value };
  const follows = wholeSecond(next.start);
  if (end?.getTime() === follows.getTime()) return { start, end, value };
  const fault = end === null || end > follows ? "overlaps" : "leaves a gap after";
  return invalid(
    `intervals[${index + 1}].start_time is ${formatTimestamp(follows)}, which ${fault} ${at}, whose end is ${whenOf(end)}; let each begin where the one before ends, or create two events`,
  );
};

/** Before, moments stand for "now" in OpenADR. */
const FIRST_YEAR = 1970;
const LAST_YEAR = 9999;

const inTime = (timed: readonly TimedValue[]): Result<readonly TimedValue[]> => {
  if (timed.some(({ start }) => start.getUTCFullYear() < FIRST_YEAR))
    return invalid(`the event starts before the year ${FIRST_YEAR}; give a later start`);
  return timed.some(({ end }) => end !== null && !(end.getUTCFullYear() <= LAST_YEAR))
    ? invalid(`the event ends after the year ${LAST_YEAR}; give an earlier end, or end_time null`)
    : timed;
};
