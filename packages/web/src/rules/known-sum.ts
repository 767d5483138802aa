/** Sum of the known values; null if none is known, as an unknown sum is not zero. */
export const knownSum = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};
