/** How powers in kW are whole numbers of a unit: of 10^-digits kW, or of 10^-digits kWh over an interval. */
export interface DecimalScale {
  readonly digits: number;
  /** Length of the intervals whose energy was uploaded, in seconds; 0 if the power was. */
  readonly energySeconds: number;
}

/** Lengths of the intervals that readings may have. */
const INTERVALS_SECONDS = [300, 60, 30, 90, 120, 150, 180, 210, 240, 270];
const MAX_DIGITS = 12;
// The difference of two such numbers, doubled for its sign, is exact.
const MAX_WHOLE = 2 ** 50;
const UNITS = Array.from({ length: MAX_DIGITS + 1 }, (_, digits) => 10 ** digits);

/**
 * The power of a whole number, computed as from the decimal that was uploaded, so that every bit is the same. Never
 * change it: stored days mean what it returns.
 */
export const powerOfWhole = (whole: number, { digits, energySeconds }: DecimalScale): number => {
  const decimal = whole / (UNITS[digits] ?? 1);
  return energySeconds === 0 ? decimal : (decimal * 3600) / energySeconds;
};

/** The whole number of exactly this power; NaN if there is none. */
export const wholeOfPower = (powerKw: number, scale: DecimalScale): number => {
  const { digits, energySeconds } = scale;
  const decimal = energySeconds === 0 ? powerKw : (powerKw * energySeconds) / 3600;
  const whole = Math.round(decimal * (UNITS[digits] ?? 1));
  const isExact = Math.abs(whole) <= MAX_WHOLE && powerOfWhole(whole, scale) === powerKw;
  // Minus zero equals zero, but has no whole number.
  return isExact && !Object.is(powerKw, -0) ? whole + 0 : Number.NaN;
};

export const isScale = ({ digits, energySeconds }: DecimalScale): boolean =>
  digits <= MAX_DIGITS && (energySeconds === 0 || INTERVALS_SECONDS.includes(energySeconds));

/** Bytes of a power that has no whole number, with its place, and of one that is stored as it is. */
const EXCEPTION_BYTES = 10;
const PLAIN_BYTES = 8;
/** What a decimal digit adds to a number, in bytes. */
const DIGIT_BYTES = Math.log2(10) / 8;
const SAMPLES = 32;

/** The scale that takes the fewest bytes, judged by a sample; null if none is better than the powers as they are. */
export const findScale = (powers: Float64Array): DecimalScale | null => {
  const sample = sampleOf(powers);
  let best: DecimalScale | null = null;
  let fewest = PLAIN_BYTES;
  for (const energySeconds of [0, ...INTERVALS_SECONDS]) {
    const found = cheapest(sample, energySeconds);
    if (found.bytes < fewest) [best, fewest] = [found.scale, found.bytes];
    if (found.isExact) break;
  }
  return best;
};

const sampleOf = (powers: Float64Array): number[] => {
  const count = Math.min(SAMPLES, powers.length);
  return Array.from({ length: count }, (_, index) => powers[Math.floor((index * powers.length) / count)] ?? 0);
};

interface Cheapest {
  readonly scale: DecimalScale;
  readonly bytes: number;
  readonly isExact: boolean;
}

const cheapest = (sample: readonly number[], energySeconds: number): Cheapest => {
  let best: Cheapest = { scale: { digits: 0, energySeconds }, bytes: Number.POSITIVE_INFINITY, isExact: false };
  let inexact = sample;
  for (let digits = 0; digits <= MAX_DIGITS && inexact.length > 0; digits++) {
    const scale = { digits, energySeconds };
    inexact = inexact.filter((powerKw) => Number.isNaN(wholeOfPower(powerKw, scale)));
    const bytes = (EXCEPTION_BYTES * inexact.length) / sample.length + DIGIT_BYTES * digits;
    if (bytes < best.bytes) best = { scale, bytes, isExact: inexact.length === 0 };
  }
  return best;
};
