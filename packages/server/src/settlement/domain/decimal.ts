/** Money and quantities are whole numbers of a decimal place (units of a scale): no sum or product rounds. */

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * A decimal number as units of a scale, rounded half away from zero: "1.005" at scale 2 is 101. Also reads what
 * JavaScript writes for very large and small numbers, such as "1e-7".
 */
export const unitsOf = (text: string, scale: number): bigint => {
  const match = DECIMAL.exec(text);
  if (match === null) throw new RangeError(`"${text}" is not a decimal number`);
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const units = rescale(BigInt(whole + fraction), fraction.length - Number(exponent), scale);
  return sign === "-" ? -units : units;
};

/** A measured number, as it is written in JSON. */
export const unitsOfNumber = (value: number, scale: number): bigint => unitsOf(String(value), scale);

/** Units of a scale as decimal text, with all places: 101 at scale 2 is "1.01". */
export const textOf = (units: bigint, scale: number): string => {
  const digits = String(absolute(units)).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
};

/** Units of one scale as those of another, rounded half away from zero. */
export const rescale = (units: bigint, from: number, to: number): bigint =>
  to >= from ? units * 10n ** BigInt(to - from) : divided(units, 10n ** BigInt(from - to));

/** A quotient rounded half away from zero; the divisor is positive. */
export const divided = (units: bigint, divisor: bigint): bigint => {
  const half = (2n * absolute(units) + divisor) / (2n * divisor);
  return units < 0n ? -half : half;
};

const absolute = (units: bigint): bigint => (units < 0n ? -units : units);

export const sumOf = (units: readonly bigint[]): bigint => units.reduce((sum, each) => sum + each, 0n);
export const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other);
export const greater = (one: bigint, other: bigint): bigint => (one > other ? one : other);
