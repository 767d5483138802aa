import type { ReadingType } from "./green-button-entry.js";
import type { Unit } from "./units.js";

const energy: Unit = { name: "Wh", factor: 1e-3, isEnergy: true };
const power: Unit = { name: "W", factor: 1e-3, isEnergy: false };

/** Names of units that are not read, for the reason. */
const otherUnits: Readonly<Record<string, string>> = {
  "5": "A",
  "29": "V",
  "31": "J",
  "42": "m³",
  "61": "VA",
  "63": "VAr",
  "71": "VAh",
  "73": "VArh",
  "119": "ft³",
  "132": "Btu",
  "169": "therm",
};
const accumulations: Readonly<Record<string, string>> = {
  "1": "bulk quantity",
  "2": "continuous cumulative",
  "3": "cumulative",
  "4": "delta data",
  "6": "indicating",
  "9": "summation",
  "12": "instantaneous",
};
const FORWARD = ["0", "1"];
const NET = "4";
const REVERSE = "19";
/** Maximum and minimum of an interval. */
const EXTREMES = ["8", "9"];

/** How values become kW. */
export interface Conversion {
  readonly unit: Unit;
  /** Power of ten to the unit. */
  readonly exponent: number;
  readonly sign: 1 | -1;
  /** 0: not stated. */
  readonly seconds: number;
}

/** How to read the values of a type, or why they are no load or export. */
export const conversionOf = (type: ReadingType): Conversion | { readonly reason: string } => {
  const uom = type.uom ?? "";
  const unit = uom === "72" ? energy : uom === "38" ? power : null;
  if (unit === null) return { reason: `its unit is ${otherUnits[uom] ?? "another"} (uom ${uom || "missing"})` };
  const behaviour = type.accumulationBehaviour ?? "0";
  const accepted = unit.isEnergy ? ["0", "4"] : ["0", "6", "12"];
  if (!accepted.includes(behaviour))
    return {
      reason: `its values are ${accumulations[behaviour] ?? "of another kind"} (accumulationBehaviour ${behaviour})`,
    };
  const flow = type.flowDirection ?? "0";
  if (![...FORWARD, NET, REVERSE].includes(flow))
    return { reason: `its flow is neither forward, reverse nor net (flowDirection ${flow})` };
  const qualifier = type.dataQualifier ?? "0";
  if (EXTREMES.includes(qualifier))
    return { reason: `its values are a maximum or minimum (dataQualifier ${qualifier})` };
  const multiplier = type.powerOfTenMultiplier ?? "0";
  if (!/^-?\d{1,2}$/.test(multiplier)) return { reason: `its powerOfTenMultiplier is "${multiplier.slice(0, 20)}"` };
  return {
    unit,
    exponent: Number(multiplier),
    sign: flow === REVERSE ? -1 : 1,
    seconds: /^\d{1,6}$/.test(type.intervalLength ?? "") ? Number(type.intervalLength) : 0,
  };
};

/** Power in kW. Divides by whole powers of ten, since fractions of ten are not exact. */
export const kilowattsOf = (value: number, { unit, exponent, sign }: Conversion, seconds: number): number => {
  const toKilo = exponent - 3;
  const kilo = toKilo < 0 ? value / 10 ** -toKilo : value * 10 ** toKilo;
  const kw = unit.isEnergy ? (kilo * 3600) / seconds : kilo;
  return kw === 0 ? 0 : sign * kw;
};

/** Codes of ESPI's QualityOfReading that are no measurement: edited, estimated, questionable, projected, mixed, normalised. */
const ESTIMATED = ["7", "8", "9", "10", "12", "13", "15"];
export const isEstimated = (quality: string): boolean => ESTIMATED.includes(quality);
