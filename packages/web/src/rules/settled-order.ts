/** Rows are sorted again this often at most, so that nobody presses on one that has just moved. */
export const RESORT_MS = 60_000;

/** What is still there, in its order, and then what has come. */
export const settledOrder = (order: readonly string[], ids: readonly string[]): readonly string[] => {
  const [there, known] = [new Set(ids), new Set(order)];
  return [...order.filter((id) => there.has(id)), ...ids.filter((id) => !known.has(id))];
};

interface Settled {
  readonly order: readonly string[];
  readonly sortedAtMs: number;
  /** Whether all figures were known by which it is sorted. */
  readonly isWhole: boolean;
}

export const UNSORTED: Settled = { order: [], sortedAtMs: 0, isWhole: false };

interface Sorted {
  readonly sorted: readonly string[];
  readonly isWhole: boolean;
}

/** The order from now on: a new one only after a minute, or once all figures are known; never while a hand is on the rows. */
export const nextOrder = (
  before: Settled,
  { sorted, isWhole }: Sorted,
  { isHeld, nowMs }: { readonly isHeld: boolean; readonly nowMs: number },
): Settled => {
  const isDue = nowMs - before.sortedAtMs >= RESORT_MS || (isWhole && !before.isWhole);
  // With no row there is no hand to move one under.
  if (before.order.length === 0 || (!isHeld && isDue)) return { order: sorted, sortedAtMs: nowMs, isWhole };
  const order = settledOrder(before.order, sorted);
  return order.join(" ") === before.order.join(" ") ? before : { ...before, order };
};
