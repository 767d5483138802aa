import type { operator } from "@curtail/contract";
import { MAX_PAGE } from "@curtail/contract/constants";
import { useMemo } from "react";
import { type Asking, useOperatorList } from "../../api/use-call.js";
import { useWhole } from "../../api/use-whole.js";

/** All events are known by now, whatever the clock of this machine says. */
export const AFTER_ALL_EVENTS = new Date(8.64e15);

/** What happened in a dispatch, oldest first; the same array until there is more. */
export const useReplayEvents = (
  dispatchId: string,
  asking: Asking = {},
): { readonly events: readonly operator.ReplayEvent[]; readonly isWhole: boolean } => {
  const { items, isWhole } = useWhole(
    useOperatorList("/dispatches/{id}/replay", { params: { id: dispatchId }, query: { limit: MAX_PAGE } }, asking),
  );
  const last = items.at(-1);
  // The list is a new one each time, and its events are only ever added to.
  const key = `${dispatchId} ${items.length} ${last?.at ?? ""} ${last?.what ?? ""}`;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `key` stands for `items`
  const events = useMemo(() => items, [key]);
  return { events, isWhole };
};
