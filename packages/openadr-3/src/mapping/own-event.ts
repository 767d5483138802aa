import { formatDuration } from "@curtail/openadr/duration";
import type { EventRequest } from "../contract/event.js";
import type { Interval, IntervalPeriod } from "../contract/interval.js";
import { type EventInterval, eventIntervals } from "./event-intervals.js";
import { ENDLESS, formatMoment } from "./written-times.js";

/** A value and when it holds. Times are whole seconds. */
export interface TimedValue {
  readonly start: Date;
  /** null: it never ends. */
  readonly end: Date | null;
  readonly value: number | string;
}

/** How to read the values of a payload type. */
export interface PayloadReading {
  readonly payloadType: string;
  readonly units: string | null;
  /** Of a price. */
  readonly currency: string | null;
}

/** An event of the operator's own. */
export interface OwnEvent {
  readonly programId: string;
  readonly name: string | null;
  readonly priority: number | null;
  /** Empty: everybody who sees the program. */
  readonly targets: readonly string[];
  readonly payload: PayloadReading;
  /** Each begins where the one before ends. */
  readonly intervals: readonly TimedValue[];
}

/** The event as clients read it: intervals of one length share it, others have their own. */
export const ownEvent = ({ programId, name, priority, targets, payload, intervals }: OwnEvent): EventRequest => ({
  programID: programId,
  ...(name === null ? {} : { eventName: name }),
  ...(priority === null ? {} : { priority }),
  ...(targets.length === 0 ? {} : { targets: [...targets] }),
  payloadDescriptors: [payloadDescriptor(payload)],
  ...timesOf(intervals, payload.payloadType),
});

/** How to read a payload, as programs and events describe it. */
export const payloadDescriptor = ({ payloadType, units, currency }: PayloadReading) => ({
  objectType: "EVENT_PAYLOAD_DESCRIPTOR" as const,
  payloadType,
  ...(units === null ? {} : { units }),
  ...(currency === null ? {} : { currency }),
});

const timesOf = (
  values: readonly TimedValue[],
  type: string,
): Required<Pick<EventRequest, "intervalPeriod" | "intervals">> => {
  const periods = values.map(periodOf);
  const [first = { start: "", duration: ENDLESS }] = periods;
  const isOfOneLength = periods.every(({ duration }) => duration === first.duration);
  const intervals = values.map(({ value }, id) => {
    const own = periods[id];
    const interval = { id, payloads: [{ type, values: [value] }] };
    return isOfOneLength || own === undefined ? interval : { ...interval, intervalPeriod: own };
  });
  return { intervalPeriod: first, intervals };
};

const SECOND_MS = 1000;

const periodOf = ({ start, end }: Pick<TimedValue, "start" | "end">): IntervalPeriod & { start: string } => ({
  start: formatMoment(start),
  duration: end === null ? ENDLESS : formatDuration((end.getTime() - start.getTime()) / SECOND_MS),
});

/**
 * The event as it is if it ends at `at`, a whole second: its intervals up to then, the last one cut. null: it had not
 * begun, or does not state when its intervals are. A random start is left out, as it would delay the end.
 */
export const endedEvent = (event: EventRequest, createdAt: Date, at: Date): EventRequest | null => {
  const times = eventIntervals(event, createdAt);
  const begun = (event.intervals ?? []).flatMap((interval) => cut(interval, times.get(interval.id), at));
  const first = times.get(begun[0]?.id ?? Number.NaN);
  if (first === undefined || times.size < (event.intervals ?? []).length) return null;
  const { duration, intervalPeriod, ...rest } = event;
  const { randomizeStart: _random, ...period } = intervalPeriod ?? {};
  const ended = { ...rest, intervalPeriod: period };
  // The length of the whole event repeats its intervals, or cuts them.
  return duration === undefined
    ? { ...ended, intervals: begun }
    : { ...ended, duration: formatDuration((at.getTime() - first.startMs) / SECOND_MS) };
};

const cut = (interval: Interval, time: EventInterval | undefined, at: Date): Interval[] => {
  if (time === undefined || time.startMs >= at.getTime()) return [];
  const { randomizeStart: _random, ...own } = interval.intervalPeriod ?? {};
  const isOver = time.lengthMs !== null && time.startMs + time.lengthMs <= at.getTime();
  const period = isOver ? own : periodOf({ start: new Date(time.startMs), end: at });
  return [Object.keys(period).length === 0 ? withoutPeriod(interval) : { ...interval, intervalPeriod: period }];
};

const withoutPeriod = ({ intervalPeriod: _none, ...interval }: Interval): Interval => interval;
