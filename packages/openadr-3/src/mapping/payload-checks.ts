import type { EventRequest } from "../contract/event.js";
import type { Interval, IntervalPeriod } from "../contract/interval.js";
import type { EventPayloadDescriptor } from "../contract/payload-descriptor.js";
import type { ValuesMap } from "../contract/values-map.js";
import { parseDuration } from "../rules/duration.js";
import { isNow, parseTime } from "../rules/times.js";
import { PAYLOAD_RULES, type PayloadRule, SAFE_MODES } from "./payload-types.js";
import { quoted, shortened } from "./quoted.js";
import { ENDLESS } from "./written-times.js";

type Value = ValuesMap["values"][number];

export interface OwnEventContext {
  /** The descriptors of its program, which apply where the event has none. */
  readonly programDescriptors: readonly EventPayloadDescriptor[];
  /** Payload types of other events of the program that never end, and reach every VEN that this one reaches. */
  readonly standingTypes: ReadonlySet<string>;
}

/**
 * What is wrong with an event that an operator writes. Clients may write what they like, as the specification wants it;
 * ours are held to its enumerations, because a price without a currency is understood by nobody.
 */
export const faultsOfOwnEvent = (event: EventRequest, context: OwnEventContext): string[] => {
  const { intervals = [], reportDescriptors } = event;
  if (intervals.length === 0 && (reportDescriptors ?? []).length === 0) {
    return ["intervals is empty and so is reportDescriptors; give the values of the event, or what it asks for"];
  }
  return [
    ...intervals.flatMap((interval, index) => timingFaults(interval, index, event)),
    ...repeatedIds(intervals),
    ...intervals.flatMap(({ payloads }, index) => payloadFaults(payloads, `intervals[${index}]`)),
    ...descriptorFaults(event, context),
    ...lacksSafeMode(event, context.standingTypes),
  ];
};

const timingFaults = (
  { intervalPeriod: own }: Interval,
  index: number,
  { intervalPeriod: defaults, intervals = [] }: EventRequest,
) => {
  const place = `intervals[${index}].intervalPeriod`;
  const faults: string[] = [];
  if (index === 0 && own?.start === undefined && defaults?.start === undefined) {
    faults.push(`${place} has no start; give one there, or for the event`);
  }
  for (const [period, at] of [[own, place], ...(index === 0 ? [[defaults, "intervalPeriod"] as const] : [])] as const) {
    if (period?.start !== undefined && parseTime(period.start) === null) {
      faults.push(
        `${at}.start is ${quoted(period.start)}; give RFC 3339 with an offset, for example 2026-07-01T18:00:00Z`,
      );
    }
  }
  const duration = own?.duration ?? defaults?.duration;
  if (duration === undefined || !isLong(duration)) {
    faults.push(
      `${place}.duration is ${duration === undefined ? "missing" : quoted(duration)}; give a length such as PT1H, or ${ENDLESS}`,
    );
  } else if (duration === ENDLESS && index < intervals.length - 1 && nextFollows(intervals[index + 1])) {
    faults.push(
      `${place}.duration is endless, so that intervals[${index + 1}] never begins; give it a start or this one a length`,
    );
  }
  return faults;
};

const isLong = (text: string): boolean => {
  const duration = parseDuration(text);
  if (duration === null) return false;
  const parts = Object.values(duration);
  return parts.every((part) => part >= 0) && parts.some((part) => part > 0);
};

const nextFollows = (next: { readonly intervalPeriod?: IntervalPeriod } | undefined): boolean => {
  const start = next?.intervalPeriod?.start;
  const at = start === undefined ? null : parseTime(start);
  return at === null || isNow(at);
};

/** Reports name intervals by their ids. */
const repeatedIds = (intervals: readonly Interval[]): string[] => {
  const seen = new Set<number>();
  return intervals.flatMap(({ id }, index) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [`intervals[${index}].id is ${id} again; give each interval its own`];
  });
};

const payloadFaults = (payloads: readonly ValuesMap[], place: string): string[] => {
  if (payloads.length === 0) return [`${place}.payloads is empty; give what holds in this interval`];
  return payloads.flatMap(({ type, values }, index) => {
    const at = `${place}.payloads[${index}]`;
    const rule = PAYLOAD_RULES.get(type);
    if (rule === undefined) return [`${at}.type is ${quoted(type)}, which is no event payload of OpenADR 3.1`];
    if (payloads.findIndex((other) => other.type === type) < index)
      return [`${at}.type is ${type} again; give it once`];
    if (values.length === 0) return [`${at}.values is empty; give a value`];
    if (rule.isSingle && values.length > 1) return [`${at}.values has ${values.length} values; ${type} has one`];
    return values.flatMap((value, number) => valueFaults(value, rule, `${at}.values[${number}]`));
  });
};

const valueFaults = (value: Value, { values, minimum, maximum }: PayloadRule, at: string): string[] => {
  const wanted = KINDS[values];
  if (!wanted.is(value)) return [`${at} is ${shortened(JSON.stringify(value))}; give ${wanted.name}`];
  if (typeof value !== "number") return [];
  if (minimum !== undefined && value < minimum) return [`${at} is ${value}; give ${minimum} or more`];
  return maximum !== undefined && value > maximum ? [`${at} is ${value}; give ${maximum} or less`] : [];
};

interface Kind {
  readonly name: string;
  is(value: Value): boolean;
}

const MAX_TEXT = 1000;

const KINDS: Readonly<Record<PayloadRule["values"], Kind>> = {
  number: { name: "a number", is: (value) => typeof value === "number" },
  integer: { name: "a whole number", is: (value) => Number.isInteger(value) },
  text: {
    name: `a text of 1 to ${MAX_TEXT} characters`,
    is: (value) => typeof value === "string" && value.length > 0 && value.length <= MAX_TEXT,
  },
  points: { name: "a point with x and y", is: (value) => typeof value === "object" },
  any: { name: "a value", is: () => true },
};

/** The currency codes of ISO 4217 have three letters. */
const CURRENCY = /^[A-Z]{3}$/;

const descriptorFaults = (
  { payloadDescriptors, intervals = [] }: EventRequest,
  { programDescriptors }: OwnEventContext,
): string[] => {
  const types = new Set(intervals.flatMap(({ payloads }) => payloads.map(({ type }) => type)));
  return [...types].flatMap((type) => {
    const { units, isPrice = false } = PAYLOAD_RULES.get(type) ?? {};
    const index = (payloadDescriptors ?? []).findIndex(({ payloadType }) => payloadType === type);
    const descriptor =
      payloadDescriptors?.[index] ?? programDescriptors.find(({ payloadType }) => payloadType === type);
    if (units === undefined) return [];
    if (descriptor === undefined)
      return [`payloadDescriptors has none of ${type}; give its units, one of ${units.join(", ")}`];
    const at = index === -1 ? `the program's descriptor of ${type}` : `payloadDescriptors[${index}]`;
    const faults: string[] = [];
    if (!units.includes(descriptor.units ?? "")) {
      faults.push(`${at}.units is ${told(descriptor.units)}; give one of ${units.join(", ")} for ${type}`);
    }
    if (isPrice && !CURRENCY.test(descriptor.currency ?? "")) {
      faults.push(`${at}.currency is ${told(descriptor.currency)}; give a code of ISO 4217, for example EUR`);
    }
    return faults;
  });
};

const told = (text: string | null = null): string => (text === null ? "missing" : quoted(text));

/**
 * Limits need a safe mode: what applies once their schedule is exhausted, or while nobody receives the next one. It is a
 * capacity without end, in this event or in a standing one. Returns the faults of those that have none.
 */
export const lacksSafeMode = (event: EventRequest, standingTypes: ReadonlySet<string>): string[] => {
  const own = standingTypesOf(event);
  const types = new Set((event.intervals ?? []).flatMap(({ payloads }) => payloads.map(({ type }) => type)));
  return Object.entries(SAFE_MODES).flatMap(([limit, safeMode]) => {
    if (!types.has(limit) || own.has(limit) || [own, standingTypes].some((standing) => standing.has(safeMode)))
      return [];
    return [`${limit} has no safe mode; first write an event with ${safeMode} that never ends, for the same targets`];
  });
};

/** The payload types of an event without end. */
export const standingTypesOf = ({
  intervals = [],
  intervalPeriod: defaults,
  duration: whole,
}: EventRequest): ReadonlySet<string> =>
  new Set(
    intervals.flatMap(({ intervalPeriod: own, payloads }) =>
      [own?.duration ?? defaults?.duration, whole].includes(ENDLESS) ? payloads.map(({ type }) => type) : [],
    ),
  );
