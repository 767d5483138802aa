import { type DemandRules, demandAt } from "./demand.js";
import type { DispatchWindow } from "./dispatch-window.js";

/** What the known dispatches ask of a site from now on, whatever it does about them. */
export interface Outlook {
  /** A dispatch is known that has not begun. */
  readonly isAnnounced: boolean;
  /** Start of the next one; null: none is announced. */
  readonly nextStartMs: number | null;
  /** End of the dispatches that run, or of the next one; null: it is not set yet, or there is none. */
  readonly nextEndMs: number | null;
  /** kW that they ask; null: as much as possible, or there is none. */
  readonly askedKw: number | null;
}

export const outlookAt = (
  windows: readonly DispatchWindow[],
  nowMs: number,
  { overlap }: Pick<DemandRules, "overlap">,
): Outlook => {
  const starts = windows.map(({ startMs }) => startMs).filter((startMs) => startMs > nowMs);
  const nextStartMs = starts.length === 0 ? null : Math.min(...starts);
  // The lead of a site is its own affair.
  const demand = [nowMs, nextStartMs ?? nowMs]
    .map((ms) => demandAt(windows, ms, { overlap, leadMs: 0 }))
    .find((each) => each !== null);
  return {
    isAnnounced: nextStartMs !== null,
    nextStartMs,
    nextEndMs: demand?.endMs ?? null,
    askedKw: demand?.commitmentKw ?? null,
  };
};
