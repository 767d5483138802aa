import { MAX_PAGE } from "@curtail/contract/constants";
import { stateAt } from "@curtail/contract/replay";
import { useMemo } from "react";
import { useOperatorList } from "../../api/use-call.js";
import { useWhole } from "../../api/use-whole.js";

/** Later than every event. */
const NOW = new Date(8.64e15);

/** How many accounts of a dispatch are notified, and which are not. */
export interface Notified {
  readonly accounts: number;
  readonly notNotified: ReadonlySet<string>;
}

/** As the board counts them; null until all events of the dispatch are read. */
export const useNotified = (dispatchId: string): Notified | null => {
  const { items, isWhole } = useWhole(
    useOperatorList("/dispatches/{id}/replay", { params: { id: dispatchId }, query: { limit: MAX_PAGE } }),
  );
  return useMemo(() => {
    if (!isWhole) return null;
    const { accounts, not_notified } = stateAt(items, NOW);
    return { accounts: accounts.length, notNotified: new Set(not_notified.map(({ account_id }) => account_id)) };
  }, [items, isWhole]);
};
