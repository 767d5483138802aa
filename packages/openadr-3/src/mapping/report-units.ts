import type { ReportDescriptor } from "../contract/payload-descriptor.js";
import type { ReportRequest } from "../contract/report.js";
import { quoted } from "./quoted.js";

/** Payloads that have the load of a resource. */
export const LOAD_TYPES = ["USAGE", "DEMAND"] as const;
export type LoadType = (typeof LOAD_TYPES)[number];

const isLoadType = (type: string): type is LoadType => (LOAD_TYPES as readonly string[]).includes(type);

/** How to read the values of a payload. */
export interface LoadUnit {
  /** false: an estimate, a forecast or a peak, which is no reading of the interval. */
  readonly isMeasured: boolean;
  toKw(value: number, seconds: number): number;
  /** The energy of a value; null for powers. */
  toKwh(value: number): number | null;
}

export interface LoadUnits {
  readonly of: ReadonlyMap<LoadType, LoadUnit>;
  readonly faults: readonly string[];
}

/** Whether a payload of this type is a reading of its interval. */
export const isMeasured = (type: string, { of }: LoadUnits): type is LoadType =>
  isLoadType(type) && of.get(type)?.isMeasured === true;

type Conversion = Omit<LoadUnit, "isMeasured">;

const power = (kw: number): Conversion => ({ toKw: (value) => value * kw, toKwh: () => null });
const energy = (kwh: number): Conversion => ({
  toKw: (value, seconds) => (value * kwh * 3600) / seconds,
  toKwh: (value) => value * kwh,
});

/** KW and KWH are the units of the specification; the others are private, but unmistakable. */
const CONVERSIONS: Readonly<Record<LoadType, Readonly<Record<string, Conversion>>>> = {
  DEMAND: { KW: power(1), W: power(0.001), MW: power(1000) },
  USAGE: { KWH: energy(1), WH: energy(0.001), MWH: energy(1000) },
};
const DEFAULT_UNITS = { DEMAND: "KW", USAGE: "KWH" } as const;

/** Values that are no reading of the interval (G76): they may be reported, but are not recorded. */
const NOT_MEASURED: readonly string[] = ["ESTIMATED", "FORECAST", "PEAK"];

/** The units of the load in a report: of its descriptors, else as the event asked for, else kW and kWh. */
export const loadUnits = (report: ReportRequest, asked: readonly ReportDescriptor[]): LoadUnits => {
  const of = new Map<LoadType, LoadUnit>();
  const faults: string[] = [];
  for (const type of LOAD_TYPES) {
    const index = (report.payloadDescriptors ?? []).findIndex(({ payloadType }) => payloadType === type);
    const descriptor = report.payloadDescriptors?.[index];
    const request = asked.find(({ payloadType }) => payloadType === type);
    const readingType = descriptor?.readingType ?? request?.readingType ?? "DIRECT_READ";
    const units = descriptor?.units ?? null;
    const conversion = conversionOf(type, units);
    if (units !== null && conversion === undefined) {
      const known = Object.keys(CONVERSIONS[type]).join(", ");
      faults.push(`payloadDescriptors[${index}].units is ${quoted(units)}; give one of ${known} for ${type}`);
    }
    of.set(type, {
      isMeasured: !NOT_MEASURED.includes(readingType),
      ...(conversion ?? conversionOf(type, request?.units ?? null) ?? defaultOf(type)),
    });
  }
  return { of, faults };
};

const conversionOf = (type: LoadType, units: string | null): Conversion | undefined =>
  units === null ? undefined : CONVERSIONS[type][units.toUpperCase()];

const defaultOf = (type: LoadType): Conversion => CONVERSIONS[type][DEFAULT_UNITS[type]] ?? power(1);
