/** Far below the precision of any meter, and above the noise of means, and of sums of some hundred numbers. */
const DECIMALS = 10;
const SIGNIFICANT_DIGITS = 13;

/**
 * A computed number without rounding noise, as it is answered: 405.8 in place of 405.79999999999995. What was recorded is
 * answered as it is, and nothing is computed from what this returns.
 *
 * @param decimals places after the point, of numbers up to 1000; larger ones have 13 digits in all
 */
export const rounded = <N extends number | null>(value: N, decimals = DECIMALS): N | number => {
  if (value === null || !Number.isFinite(value)) return value;
  const whole = Math.floor(Math.log10(Math.max(1, Math.abs(value)))) + 1;
  const scale = 10 ** Math.min(decimals, SIGNIFICANT_DIGITS - whole);
  // A number too large for decimals has none to remove; zero has no sign.
  return scale < 1 ? value : Math.round(value * scale) / scale + 0;
};
