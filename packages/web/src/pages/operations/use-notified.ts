import { stateAt } from "@curtail/contract/replay";
import { useMemo } from "react";
import { AFTER_ALL_EVENTS, useReplayEvents } from "./use-replay-events.js";

/** How many accounts of a dispatch are notified, and which are not. */
export interface Notified {
  readonly accounts: number;
  readonly notNotified: ReadonlySet<string>;
}

/** As the board counts them; null until all events of the dispatch are read. */
export const useNotified = (dispatchId: string): Notified | null => {
  const { events, isWhole } = useReplayEvents(dispatchId);
  return useMemo(() => {
    if (!isWhole) return null;
    const { accounts, not_notified } = stateAt(events, AFTER_ALL_EVENTS);
    return { accounts: accounts.length, notNotified: new Set(not_notified.map(({ account_id }) => account_id)) };
  }, [events, isWhole]);
};
