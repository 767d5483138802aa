import { type StandingResults, standingInPieces } from "../../performance/operations/final/standing-results.js";
import type { LivePerformance } from "../../performance/operations/live/live-performance.js";
import { calledSites } from "../../performance/operations/report/called-sites.js";
import { SeasonSums } from "../../performance/operations/report/season-sums.js";
import { turns } from "../../platform/turns.js";
import { visibleToOperators } from "../../portfolio/operations/visible-sites.js";
import { type DispatchAtEnd, stateAt } from "../domain/shift.js";
import type { ShiftDispatch } from "../domain/shift-report.js";
import { cellsOf } from "./delivered-now.js";
import type { DispatchFacts, ShiftDrawingPorts } from "./shift-ports.js";

type Delivered = Pick<ShiftDispatch, "deliveredKw" | "deliveredKwh" | "performance" | "result">;

export const NOTHING_DELIVERED: Delivered = {
  deliveredKw: null,
  deliveredKwh: null,
  performance: null,
  result: "none",
};

interface Described {
  readonly candidate: DispatchAtEnd & { readonly id: string };
  readonly facts: DispatchFacts;
}

/** What each dispatch delivered: its result if it was over, else what its sites delivered at the end of the shift. */
export const deliveredByEnd = async (
  { standing, live }: Pick<ShiftDrawingPorts, "standing" | "live">,
  dispatches: readonly Described[],
  to: Date,
): Promise<readonly Delivered[]> => {
  const over = dispatches.filter(({ candidate }) => stateAt(to, candidate) === "past");
  const results = new Map<string, Delivered>();
  const ended = over.map(({ facts }) => facts.standing);
  for await (const found of standingInPieces(standing, ended, {}))
    results.set(found.dispatch.id, await resultOf(found));
  return Promise.all(
    dispatches.map(async ({ candidate }) =>
      stateAt(to, candidate) === "active"
        ? { ...NOTHING_DELIVERED, deliveredKw: await deliveredAt(live, candidate.id, to) }
        : (results.get(candidate.id) ?? NOTHING_DELIVERED),
    ),
  );
};

const resultOf = async (found: StandingResults): Promise<Delivered> => {
  const othersTurn = turns();
  const sums = new SeasonSums();
  let meanKw: number | null = null;
  for (const call of calledSites(visibleToOperators(found))) {
    sums.add(call);
    const kw = call.outcome === "measured" ? (call.site.result?.performance.toDate.meanReductionKw ?? null) : null;
    if (kw !== null) meanKw = (meanKw ?? 0) + kw;
    await othersTurn();
  }
  const { performance, deliveredKwh } = sums.figures();
  return { deliveredKw: meanKw, deliveredKwh, performance, result: stateOf(found) };
};

const stateOf = ({ standing, dispatch }: StandingResults): Delivered["result"] => {
  // It was voided or cancelled after the shift: nothing counts any more.
  if (dispatch.isVoid || dispatch.cancelledMs !== null) return "none";
  if (standing === null) return "pending";
  return standing.reason === "approved" ? "approved" : "final";
};

/** As far as that is available without waiting for readings. */
const deliveredAt = async (live: LivePerformance, dispatchId: string, to: Date): Promise<number | null> => {
  const tracker = live.trackerNow(dispatchId);
  if (tracker === null) return null;
  const cells = await cellsOf(tracker, tracker.report());
  return cells.findLast(({ endMs }) => endMs <= to.getTime())?.reductionKw ?? null;
};
