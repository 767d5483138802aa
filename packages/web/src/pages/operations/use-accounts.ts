import { MAX_PAGE } from "@curtail/contract/constants";
import { useMemo } from "react";
import { useOperatorList } from "../../api/use-call.js";
import { useWhole } from "../../api/use-whole.js";

/** All accounts. */
export const useAccounts = () => useWhole(useOperatorList("/accounts", { query: { limit: MAX_PAGE } }));

/** Names of accounts by id, as far as loaded. */
export const useAccountNames = (): ReadonlyMap<string, string> => {
  const { items } = useAccounts();
  return useMemo(() => new Map(items.map(({ id, name }) => [id, name])), [items]);
};
