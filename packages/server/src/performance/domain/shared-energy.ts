/** Another dispatch that claims the same energy of a site. */
export interface SharedLine {
  readonly dispatchId: string;
  /** 30-second intervals that both claim; null: the dispatches are open. */
  readonly intervals: number | null;
  readonly isPaidHere: boolean;
}

/** Intervals of a dispatch that another one of the site claims, too: energy of a site is paid once (G64). */
export interface SharedIntervals extends SharedLine {
  readonly programName: string;
  readonly fromMs: number;
  /** null: both are open. */
  readonly toMs: number | null;
}

/** Intervals that other dispatches are paid for; null: some are open. */
export const paidElsewhere = (shared: readonly SharedLine[]): number | null => {
  const lost = shared.filter(({ isPaidHere }) => !isPaidHere);
  return lost.some(({ intervals }) => intervals === null)
    ? null
    : lost.reduce((sum, { intervals }) => sum + (intervals ?? 0), 0);
};

/** Ids of the other dispatches, of those alone that are paid, with a space between; null: none. */
export const sharedIds = (shared: readonly SharedLine[], which: "all" | "paid"): string | null => {
  const ids = new Set(
    shared.filter(({ isPaidHere }) => which === "all" || !isPaidHere).map(({ dispatchId }) => dispatchId),
  );
  return ids.size === 0 ? null : [...ids].join(" ");
};
