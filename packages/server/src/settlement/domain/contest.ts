/** 30-second intervals of the telemetry grid, by their numbers; the last is infinite while a dispatch is open. */
export interface CellRange {
  readonly first: number;
  readonly last: number;
}

/** A dispatch of a site with a line that can be paid: it claims the energy of its intervals. */
export interface EnergyClaim {
  readonly dispatchId: string;
  readonly programName: string;
  readonly cells: CellRange;
  readonly issuedMs: number;
  /** Whether its month follows rules of before energy was paid once: what it was paid, it keeps. */
  readonly isEarlierRules: boolean;
}

/** Intervals that another dispatch claims, too. */
export interface Shared {
  readonly dispatchId: string;
  readonly programName: string;
  readonly cells: CellRange;
  /** Whether this dispatch is paid for them. */
  readonly isPaidHere: boolean;
}

/** What a dispatch is paid for where others claim the same intervals. */
export interface Contest {
  readonly kept: readonly CellRange[];
  /** In order of time. */
  readonly shared: readonly Shared[];
}

/** Dispatches in the order in which they are paid: the one issued first, and by its id if two were issued at once. */
const byPriority = (one: EnergyClaim, other: EnergyClaim): number =>
  Number(other.isEarlierRules) - Number(one.isEarlierRules) ||
  one.issuedMs - other.issuedMs ||
  (one.dispatchId < other.dispatchId ? -1 : 1);

/** The dispatches of a site that claim intervals of others, and what each keeps; others are paid in full. */
export const contestsOf = (claims: readonly EnergyClaim[]): ReadonlyMap<string, Contest> => {
  const paid = new PaidIntervals();
  const kept = new Map<string, readonly CellRange[]>();
  const shared = new Map<string, Shared[]>();
  const note = ({ dispatchId }: EnergyClaim, other: EnergyClaim, part: Pick<Shared, "cells" | "isPaidHere">) => {
    const { dispatchId: otherId, programName } = other;
    shared.set(dispatchId, [...(shared.get(dispatchId) ?? []), { dispatchId: otherId, programName, ...part }]);
  };
  for (const claim of claims.toSorted(byPriority)) {
    const { free, lost } = paid.take(claim);
    kept.set(claim.dispatchId, free);
    for (const { by, cells } of lost) {
      note(claim, by, { cells, isPaidHere: false });
      note(by, claim, { cells, isPaidHere: true });
    }
  }
  return new Map(
    [...shared].map(([id, parts]) => [
      id,
      { kept: kept.get(id) ?? [], shared: parts.toSorted((a, b) => a.cells.first - b.cells.first) },
    ]),
  );
};

interface Paid {
  readonly by: EnergyClaim;
  readonly cells: CellRange;
}

/** The intervals that are paid already, in order of time; they never overlap. */
class PaidIntervals {
  private readonly paid: Paid[] = [];

  /** Takes the intervals of a claim that are free; the others are lost to the claims that have them. */
  take(claim: EnergyClaim): { readonly free: readonly CellRange[]; readonly lost: readonly Paid[] } {
    const { first, last } = claim.cells;
    const from = this.indexFrom(first);
    const free: CellRange[] = [];
    const lost: Paid[] = [];
    let next = first;
    let to = from;
    for (let each = this.paid[to]; each !== undefined && each.cells.first <= last; each = this.paid[++to]) {
      const cells = { first: Math.max(first, each.cells.first), last: Math.min(last, each.cells.last) };
      if (next < cells.first) free.push({ first: next, last: cells.first - 1 });
      lost.push({ by: each.by, cells });
      next = cells.last + 1;
    }
    if (next <= last) free.push({ first: next, last });
    const taken = [...this.paid.slice(from, to), ...free.map((cells) => ({ by: claim, cells }))];
    this.paid.splice(from, to - from, ...taken.toSorted((a, b) => a.cells.first - b.cells.first));
    return { free, lost };
  }

  /** Of the first paid intervals that end at a cell or after it. */
  private indexFrom(cell: number): number {
    let [low, high] = [0, this.paid.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.paid[middle]?.cells.last ?? Number.POSITIVE_INFINITY) < cell) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
