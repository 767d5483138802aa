/**
 * As many rows as one statement writes or locks. A dispatch may have tens of thousands of sites: one statement for 50,000
 * takes three seconds, and on a busy machine longer than a statement may.
 */
export const MOST_AT_ONCE = 2000;

/** Does for a few at a time, one after the other, what takes too long for all; the first few are begun at once. */
export const inPieces = async <T, R>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> => {
  if (items.length <= MOST_AT_ONCE) return [...(await work(items))];
  const results: R[] = [];
  for (let from = 0; from < items.length; from += MOST_AT_ONCE)
    results.push(...(await work(items.slice(from, from + MOST_AT_ONCE))));
  return results;
};
