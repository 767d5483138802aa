import type { Interval } from "../contract/interval.js";
import type { ValuesMap } from "../contract/values-map.js";
import type { IntervalTime } from "./interval-times.js";
import { shortened } from "./quoted.js";
import { isMeasured, LOAD_TYPES, type LoadType, type LoadUnits } from "./report-units.js";

/** The mean power over an interval, or over a part of it. */
export interface Load {
  readonly endMs: number;
  readonly intervalSeconds: number;
  readonly powerKw: number;
  /** What was sent as an energy; null for powers. */
  readonly energyKwh: number | null;
  /** Below the interval. */
  readonly place: string;
}

/** The load of an interval; or what is wrong, with places below the interval. */
export interface LoadOfInterval {
  readonly loads: readonly Load[];
  readonly faults: readonly string[];
}

const CELL_SECONDS = 30;
const MAX_INTERVAL_SECONDS = 86_400;
/** No data, or data that its sender does not believe: a gap stays a gap. */
const NOT_USABLE: readonly unknown[] = ["MISSING", "BAD"];

const NONE: LoadOfInterval = { loads: [], faults: [] };

/**
 * The load of an interval. Several values share it equally. If it has both payloads, USAGE comes last and so counts: energy
 * is the mean power, while DEMAND may be the power of a moment. For a battery, whose kWh are no load, DEMAND counts.
 */
export const loadOfInterval = (interval: Interval, time: IntervalTime, units: LoadUnits): LoadOfInterval => {
  const { payloads } = interval;
  const measured = payloads.flatMap((payload, index) => {
    const { type } = payload;
    return isMeasured(type, units) ? [{ type, payload, index }] : [];
  });
  if (measured.length === 0 || isUnusable(payloads)) return NONE;
  if ("fault" in time) return { loads: [], faults: [`.${time.fault}`] };
  const twice = measured.find(({ type, index }) =>
    measured.some((other) => other.type === type && other.index < index),
  );
  if (twice !== undefined) return faulty(twice.index, `.type is ${twice.type} again; give one payload of each type`);
  const faults = measured.flatMap(({ payload, index }) => valueFaults(payload, index));
  if (faults.length > 0) return { loads: [], faults };
  const parts = measured
    .toSorted((a, b) => LOAD_TYPES.indexOf(b.type) - LOAD_TYPES.indexOf(a.type))
    .map((each) => partsOf(each, time, units.of));
  return { loads: parts.flatMap(({ loads }) => loads), faults: parts.flatMap(({ faults }) => faults) };
};

interface Measured {
  readonly type: LoadType;
  readonly payload: ValuesMap;
  readonly index: number;
}

const partsOf = (
  { type, payload: { values }, index }: Measured,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  units: LoadUnits["of"],
): LoadOfInterval => {
  const partMs = (endMs - startMs) / values.length;
  const seconds = partMs / 1000;
  if (seconds % CELL_SECONDS !== 0 || seconds > MAX_INTERVAL_SECONDS) {
    return faulty(index, ` covers ${seconds} seconds; give a multiple of 30, at most ${MAX_INTERVAL_SECONDS}`);
  }
  const place = `.payloads[${index}]`;
  const loads = values.map((value, part) => ({
    endMs: startMs + (part + 1) * partMs,
    intervalSeconds: seconds,
    powerKw: units.get(type)?.toKw(Number(value), seconds) ?? Number.NaN,
    energyKwh: units.get(type)?.toKwh(Number(value)) ?? null,
    place,
  }));
  // The caller, which knows that the meter is no battery, checks the power of an energy.
  const excessive = loads.find(({ powerKw, energyKwh }) => !(Math.abs(energyKwh ?? powerKw) <= MAX_POWER_KW));
  if (excessive === undefined) return { loads, faults: [] };
  const [size, unit] = excessive.energyKwh === null ? [excessive.powerKw, "kW"] : [excessive.energyKwh, "kWh"];
  return faulty(index, ` is ${size} ${unit}; its magnitude may be at most ${MAX_POWER_KW} ${unit}`);
};

/** As for every reading. */
const MAX_POWER_KW = 10_000_000;

const faulty = (index: number, fault: string): LoadOfInterval => ({
  loads: [],
  faults: [`.payloads[${index}]${fault}`],
});

const valueFaults = ({ values }: ValuesMap, index: number): string[] => {
  if (values.length === 0) return [`.payloads[${index}].values is empty; give a number, or leave the payload out`];
  const wrong = values.findIndex((value) => typeof value !== "number");
  if (wrong === -1) return [];
  return [`.payloads[${index}].values[${wrong}] is ${shortened(JSON.stringify(values[wrong]))}; give a number`];
};

const isUnusable = (payloads: readonly ValuesMap[]): boolean =>
  payloads.some(({ type, values }) => type === "DATA_QUALITY" && values.some((value) => NOT_USABLE.includes(value)));
