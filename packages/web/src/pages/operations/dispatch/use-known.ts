import type { operator } from "@curtail/contract";
import { type ReplayedState, stateAt } from "@curtail/contract/replay";
import { useMemo, useState } from "react";
import { useOperator } from "../../../api/use-call.js";
import { stateOf } from "../../../rules/dispatch-state.js";
import { AFTER_ALL_EVENTS, useReplayEvents } from "../use-replay-events.js";
import type { Dispatch } from "./dispatch.js";

const EVERY_MS = 15_000;

/** What happened in a dispatch, and its state at a moment. */
export interface Known {
  readonly events: readonly operator.ReplayEvent[];
  /** null until all events are loaded. */
  readonly state: ReplayedState | null;
  /** With contacts; undefined until it is loaded. */
  readonly attention: operator.DispatchAttention | undefined;
}

/** @param at null: now */
export const useKnown = (dispatch: Dispatch, at: Date | null): Known => {
  const { id } = dispatch;
  const [openedAt] = useState(() => new Date());
  const isOver = stateOf(dispatch, openedAt) === "over";
  const { events, isWhole } = useReplayEvents(id, isOver ? {} : { everyMs: EVERY_MS });
  const attention = useOperator("/dispatches/{id}/attention", { params: { id } }).data;
  const atMs = at?.getTime() ?? null;
  const state = useMemo(
    () => (isWhole ? stateAt(events, atMs === null ? AFTER_ALL_EVENTS : new Date(atMs)) : null),
    [events, isWhole, atMs],
  );
  return { events, state, attention };
};
