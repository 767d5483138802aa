import type { operator } from "@curtail/contract";
import { MAX_PAGE } from "@curtail/contract/constants";
import { type ReplayedState, stateAt } from "@curtail/contract/replay";
import { useMemo, useState } from "react";
import { useOperator, useOperatorList } from "../../../api/use-call.js";
import { useWhole } from "../../../api/use-whole.js";
import { stateOf } from "../../../rules/dispatch-state.js";
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
  const { items, isWhole } = useWhole(
    useOperatorList(
      "/dispatches/{id}/replay",
      { params: { id }, query: { limit: MAX_PAGE } },
      isOver ? {} : { everyMs: EVERY_MS },
    ),
  );
  const attention = useOperator("/dispatches/{id}/attention", { params: { id } }).data;
  const last = items.at(-1);
  // The list is a new one each time, and its events are only ever added to.
  const key = `${items.length} ${last?.at ?? ""} ${last?.what ?? ""}`;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `key` stands for `items`
  const events = useMemo(() => items, [key]);
  const atMs = at?.getTime() ?? null;
  const state = useMemo(
    () => (isWhole ? stateAt(events, atMs === null ? FUTURE : new Date(atMs)) : null),
    [events, isWhole, atMs],
  );
  return { events, state, attention };
};

/** All events are known by now, whatever the clock of this machine says. */
const FUTURE = new Date(8.64e15);
