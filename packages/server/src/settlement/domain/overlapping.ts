interface Lasting {
  readonly id: string;
  readonly startMs: number;
  /** Infinity: open. */
  readonly endMs: number;
}

/**
 * Finds those that overlap one, in order of their start, among dispatches in that order: only those are compared that begin
 * before its end, and after the last one that had ended with all before it.
 */
export const overlappingIn = <D extends Lasting>(sorted: readonly D[]): ((one: Lasting) => D[]) => {
  let latestMs = Number.NEGATIVE_INFINITY;
  const latestEnds = sorted.map(({ endMs }) => (latestMs = Math.max(latestMs, endMs)));
  return (one) => {
    const found: D[] = [];
    for (let at = countBefore(sorted, one.endMs) - 1; at >= 0 && (latestEnds[at] ?? 0) > one.startMs; at--) {
      const other = sorted[at];
      if (other !== undefined && other.id !== one.id && other.endMs > one.startMs) found.push(other);
    }
    return found.toReversed();
  };
};

/** How many of them begin before a moment. */
const countBefore = (sorted: readonly Lasting[], ms: number): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.startMs ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
};
