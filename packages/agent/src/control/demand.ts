import type { DispatchWindow } from "./dispatch-window.js";

/** What the dispatches of a moment ask of a site together. */
export interface Demand {
  readonly dispatchIds: readonly string[];
  /** kW; null: as much as possible. */
  readonly commitmentKw: number | null;
  /** When the last of them ends; null: not known yet. */
  readonly endMs: number | null;
}

export interface DemandRules {
  readonly leadMs: number;
  readonly overlap: "sum" | "max";
}

/** The demand at a time, or null: from `leadMs` before a start to before the end. */
export const demandAt = (
  windows: readonly DispatchWindow[],
  nowMs: number,
  { leadMs, overlap }: DemandRules,
): Demand | null => {
  const current = windows.filter(
    ({ startMs, endMs }) => startMs - leadMs <= nowMs && (endMs === null || nowMs < endMs),
  );
  if (current.length === 0) return null;
  return {
    dispatchIds: current.map(({ dispatchId }) => dispatchId).toSorted(),
    commitmentKw: together(
      current.map(({ commitmentKw }) => commitmentKw),
      overlap,
    ),
    endMs: latest(current.map(({ endMs }) => endMs)),
  };
};

/** As much as possible is more than any number. */
const together = (commitments: ReadonlyArray<number | null>, overlap: DemandRules["overlap"]): number | null => {
  const numbers = commitments.filter((commitment) => commitment !== null);
  if (numbers.length < commitments.length) return null;
  return overlap === "sum" ? numbers.reduce((sum, each) => sum + each, 0) : Math.max(...numbers);
};

const latest = (ends: ReadonlyArray<number | null>): number | null => {
  const known = ends.filter((end) => end !== null);
  return known.length < ends.length ? null : Math.max(...known);
};
