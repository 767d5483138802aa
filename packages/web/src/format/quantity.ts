import { NUMBER_LOCALE } from "./locale.js";

const NOTHING = "–";

const number = (digits: number) =>
  // "negative": nothing is written as -0.
  new Intl.NumberFormat(NUMBER_LOCALE, {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
    signDisplay: "negative",
  });
const coarse = number(0);
const fine = number(1);

/** With a minus sign in place of a hyphen. */
const written = (format: Intl.NumberFormat, value: number): string => format.format(value).replace("-", "−");

/** From here on in the next unit. */
const MEGA = 10_000;

const rounded = (value: number): string => written(Math.abs(value) < 99.95 ? fine : coarse, value);

/** `1,234 kW`; MW from 10,000 kW; a dash for null. */
export const power = (kw: number | null | undefined): string => {
  if (kw === null || kw === undefined) return NOTHING;
  return Math.abs(kw) >= MEGA ? `${written(fine, kw / 1000)} MW` : `${rounded(kw)} kW`;
};

type PowerUnit = "kW" | "MW";

/** The unit of figures of which the largest is given. */
export const unitOf = (kw: number): PowerUnit => (Math.abs(kw) >= MEGA ? "MW" : "kW");

/** A figure whose unit stands elsewhere; a dash for null. */
export const powerIn = (unit: PowerUnit, kw: number | null): string => {
  if (kw === null) return NOTHING;
  return unit === "MW" ? written(fine, kw / 1000) : rounded(kw);
};

const tenth = new Intl.NumberFormat(NUMBER_LOCALE, {
  maximumFractionDigits: 1,
  minimumFractionDigits: 1,
  useGrouping: false,
});

/** `1234.5`: a value of a chart. */
export const tenths = (value: number): string => tenth.format(value);

/** `+60`, `−90`: a change whose unit stands elsewhere. */
export const change = (value: number): string => `${value > 0 ? "+" : ""}${rounded(value)}`;

export const energy = (kwh: number | null | undefined): string => {
  if (kwh === null || kwh === undefined) return NOTHING;
  return Math.abs(kwh) >= MEGA ? `${written(fine, kwh / 1000)} MWh` : `${rounded(kwh)} kWh`;
};

const percentages = new Intl.NumberFormat(NUMBER_LOCALE, { style: "percent", signDisplay: "negative" });

/** A ratio as a percentage: `65%`. */
export const percent = (share: number | null | undefined): string =>
  share === null || share === undefined ? NOTHING : written(percentages, share);

const exactPercentages = new Intl.NumberFormat(NUMBER_LOCALE, { style: "percent", maximumFractionDigits: 4 });

/** A ratio as it was set: `97.5%`. */
export const exactPercent = (share: number): string => exactPercentages.format(share);

/** A number whose unit is in the head of its column; a dash for null. */
export const plain = (value: number | null | undefined): string =>
  value === null || value === undefined ? NOTHING : rounded(value);

/** A ratio in percent, likewise. */
export const plainPercent = (share: number | null | undefined): string =>
  share === null || share === undefined ? NOTHING : written(fine, share * 100);

export const count = (n: number): string => written(coarse, n);

const wholes = new Intl.NumberFormat(NUMBER_LOCALE);
const POINT = wholes.formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";

/** Decimal text with thousands separated, never rounded; any other text as it is. */
export const decimal = (text: string): string => {
  const [, sign = "", whole, fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  return `${sign}${wholes.format(BigInt(whole))}${fraction === undefined ? "" : `${POINT}${fraction}`}`;
};
