import type { Dispatch } from "./participant-types.js";

/**
 * `active`: upcoming or in progress. `cancelled`: not authorized any more, or no longer visible to the account. `over`:
 * its end has passed.
 */
export type DispatchPhase = "active" | "cancelled" | "over";

/** A dispatch as it was last yielded. */
export interface SeenDispatch {
  /** What it was then. */
  readonly phase: DispatchPhase;
  /** All of it, as the service returned it. */
  readonly dispatch: Dispatch;
}

/** What was yielded, by the id of the dispatch. Plain JSON. */
export interface WatchState {
  /** Dispatches that are active, and those that the service still lists. */
  readonly seen: Readonly<Record<string, SeenDispatch>>;
}

/** What is new about a dispatch. */
export interface DispatchChange {
  /**
   * `created`: first seen, curtail at its start. `changed`: its times, sites or commitments are others. `cancelled`: do
   * not curtail, or stop. `over`: its end has passed, stop.
   */
  readonly type: "created" | "changed" | "cancelled" | "over";
  /** What it is now. */
  readonly dispatch: Dispatch;
}

/** The specification: in progress until `end_time` has passed. */
const phaseOf = ({ authorized, end_time }: Dispatch, nowMs: number): DispatchPhase => {
  if (!authorized) return "cancelled";
  return end_time !== null && Date.parse(end_time) < nowMs ? "over" : "active";
};

/**
 * What to yield about a dispatch; null if nothing is new. Whole objects are compared: a dispatch that is cancelled or
 * over when it is first seen is never `created`.
 */
export const changeOf = (dispatch: Dispatch, seen: SeenDispatch | undefined, nowMs: number): DispatchChange | null => {
  const phase = phaseOf(dispatch, nowMs);
  const isSame = seen !== undefined && JSON.stringify(seen.dispatch) === JSON.stringify(dispatch);
  // A clock that was set back starts nothing again.
  if (isSame && (phase === seen.phase || phase === "active")) return null;
  if (phase !== "active") return { type: phase, dispatch };
  return { type: seen === undefined ? "created" : "changed", dispatch };
};

/** Active dispatches that were yielded and are not listed any more: they are cancelled, over, or not visible. */
export const missingFrom = (dispatches: readonly Dispatch[], { seen }: WatchState): readonly Dispatch[] => {
  const listed = new Set(dispatches.map(({ id }) => id));
  return Object.values(seen)
    .filter(({ phase, dispatch }) => phase === "active" && !listed.has(dispatch.id))
    .map(({ dispatch }) => dispatch);
};

/** The state after a change was handled. */
export const withChange = (state: WatchState, { type, dispatch }: DispatchChange): WatchState => {
  const phase = type === "cancelled" || type === "over" ? type : "active";
  return { seen: { ...state.seen, [dispatch.id]: { phase, dispatch } } };
};

/** The state without dispatches that the list does not have any more and that are finished. */
export const forgetting = (state: WatchState, dispatches: readonly Dispatch[]): WatchState => {
  const listed = new Set(dispatches.map(({ id }) => id));
  const kept = Object.entries(state.seen).filter(([id, { phase }]) => phase === "active" || listed.has(id));
  return kept.length === Object.keys(state.seen).length ? state : { seen: Object.fromEntries(kept) };
};

/** Milliseconds of Unix time at which the next dispatch is over without a change; null if none will be. */
export const nextEnd = ({ seen }: WatchState): number | null => {
  const ends = Object.values(seen)
    .filter(({ phase }) => phase === "active")
    .flatMap(({ dispatch }) => (dispatch.end_time === null ? [] : [Date.parse(dispatch.end_time) + 1]));
  return ends.length === 0 ? null : Math.min(...ends);
};
