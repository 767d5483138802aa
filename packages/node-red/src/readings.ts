import { type IntervalMean, intervalEnd, type Source } from "./interval-means.js";
import type { Message } from "./red.js";
import { timestampOf } from "./timestamp.js";

/** Lists of the interface to which readings go. */
export type ReadingList = "telemetry" | "controllable_load";

export interface ReadingSettings {
  readonly list: ReadingList;
  readonly intervalSeconds: number;
  /** For values that do not name a meter or site. */
  readonly source: Source | null;
}

/** A reading as it will be uploaded; the service judges its members. */
export type Reading = Readonly<Record<string, unknown>>;

/** What a message brings. */
export interface Brought {
  /** Values in kW, of now. */
  readonly values: ReadonlyArray<{ readonly source: Source; readonly kW: number }>;
  readonly readings: readonly Reading[];
  /** What is neither, with the reason. */
  readonly faults: ReadonlyArray<{ readonly payload: unknown; readonly reason: string }>;
}

const NOTHING: Brought = { values: [], readings: [], faults: [] };
const NO_SOURCE = "it names no meter or site: set one in the node, or msg.meter_id or msg.site_id";
const NO_NUMBER = "it is neither a number nor a reading, an object with kW, or with value and units";

/**
 * Numbers, also as text, are values in kW; objects are readings, to which the node adds what they lack; a list may have
 * both.
 *
 * @param nowMs milliseconds of Unix time
 */
export const broughtBy = (message: Message, settings: ReadingSettings, nowMs: number): Brought => {
  const { payload } = message;
  if (Array.isArray(payload))
    return payload
      .map((each: unknown) => broughtBy({ ...message, payload: each }, settings, nowMs))
      .reduce(both, NOTHING);
  const source = sourceIn(message) ?? settings.source;
  if (typeof payload === "object" && payload !== null)
    return readingIn(payload as Reading, { ...settings, source }, nowMs);
  const kW = numberIn(payload);
  if (kW === null) return fault(payload, NO_NUMBER);
  return source === null ? fault(payload, NO_SOURCE) : { ...NOTHING, values: [{ source, kW }] };
};

/** The reading of an interval that ended. */
export const readingOfMean = ({ source, endMs, mean }: IntervalMean, settings: ReadingSettings): Reading => ({
  ...source,
  interval_seconds: settings.intervalSeconds,
  timestamp: textOf(endMs),
  ...(settings.list === "telemetry" ? { kW: mean } : { value: mean, units: "kW" }),
});

const readingIn = (given: Reading, settings: ReadingSettings, nowMs: number): Brought => {
  const { kW, value, units, timestamp } = given;
  if (kW === undefined && value === undefined) return fault(given, NO_NUMBER);
  const source = sourceIn(given) ?? settings.source;
  if (source === null) return fault(given, NO_SOURCE);
  // Without a time of its own it is of the interval that ended last.
  const ended = intervalEnd(nowMs - settings.intervalSeconds * 1000 + 1, settings.intervalSeconds * 1000);
  const at = timestamp === undefined ? textOf(ended) : timestampOf(timestamp);
  if (at === null)
    return fault(given, "its timestamp is no time: use RFC 3339 with an offset, a Date, or milliseconds");
  const shape =
    settings.list === "controllable_load"
      ? { value: value ?? kW, units: units ?? "kW" }
      : kW === undefined
        ? { value, units: units ?? "kW" }
        : { kW };
  const interval_seconds = given["interval_seconds"] ?? settings.intervalSeconds;
  return { ...NOTHING, readings: [{ ...source, interval_seconds, timestamp: at, ...shape }] };
};

const sourceIn = ({ meter_id, site_id }: Readonly<Record<string, unknown>>): Source | null => {
  if (typeof meter_id === "string" && meter_id !== "") return { meter_id };
  return typeof site_id === "string" && site_id !== "" ? { site_id } : null;
};

const numberIn = (payload: unknown): number | null => {
  // MQTT and serial nodes send numbers as text.
  const value = typeof payload === "string" && payload.trim() !== "" ? Number(payload) : payload;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
};

const textOf = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

const fault = (payload: unknown, reason: string): Brought => ({ ...NOTHING, faults: [{ payload, reason }] });

const both = (a: Brought, b: Brought): Brought => ({
  values: [...a.values, ...b.values],
  readings: [...a.readings, ...b.readings],
  faults: [...a.faults, ...b.faults],
});
